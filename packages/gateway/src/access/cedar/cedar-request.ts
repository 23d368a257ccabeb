import type { CedarValueJson, EntityJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { Person } from '../../identity/person.ts'
import type { JudgedTool } from '../access-rules.ts'
import { effectOf, isOpenWorld } from '../effect.ts'

/** What a request is about. */
export interface Target {
  readonly type: 'Tool' | 'Resource' | 'Prompt' | 'Skill' | 'Server'
  readonly server: string
  /** Of a server, its own name. */
  readonly name: string
  readonly attributes: Readonly<Record<string, CedarValueJson>>
}

/** The actions of policies. */
export type Action = 'use' | 'call' | 'read' | 'get'

/** The id in policies: `Person::"https://login.example.com ann"`. */
export function uidOf({ issuer, subject }: Person): string {
  return `${issuer} ${subject}`
}

/** The id of a target in policies. */
export function idOf(type: Target['type'], server: string, name: string): string {
  return type === 'Server' ? server : `${server}/${name}`
}

function target(
  type: Target['type'],
  server: string,
  name: string,
  attributes: Target['attributes'],
): Target {
  return { type, server, name, attributes }
}

export function toolTarget(tool: JudgedTool): Target {
  const { server, name } = tool
  return target('Tool', server, name, {
    name,
    effect: effectOf(tool),
    openWorld: isOpenWorld(tool),
  })
}

export function serverTarget(server: string): Target {
  return target('Server', server, server, {})
}

export function resourceTarget(server: string, uri: string): Target {
  return target('Resource', server, uri, { uri })
}

export function promptTarget(server: string, name: string): Target {
  return target('Prompt', server, name, { name })
}

export function skillTarget(server: string, name: string): Target {
  return target('Skill', server, name, { name })
}

/** @param groups those that policies mention */
export function personEntity(person: Person, groups: readonly string[]): EntityJson {
  const { issuer, subject, email, role } = person
  return {
    uid: { type: 'Person', id: uidOf(person) },
    attrs: { issuer, subject, role, ...(email !== undefined && { email }) },
    parents: groups.map((id) => ({ type: 'Group', id })),
  }
}

export function targetEntity({ type, server, name, attributes }: Target): EntityJson {
  return {
    uid: { type, id: idOf(type, server, name) },
    attrs: { ...attributes, server },
    parents: type === 'Server' ? [] : [{ type: 'Server', id: server }],
  }
}

/** `use` stands for all of them, so that a policy need not list them. */
export const ACTION_ENTITIES: EntityJson[] = ['call', 'read', 'get'].map((id) => ({
  uid: { type: 'Action', id },
  attrs: {},
  parents: [{ type: 'Action', id: 'use' }],
}))
