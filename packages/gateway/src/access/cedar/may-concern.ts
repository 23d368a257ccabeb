import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { ReachedKind } from '../rights.ts'

/** A person, by the id and the groups that policies use. */
export interface PolicyPerson {
  readonly id: string
  readonly groups: readonly string[]
}

type Constraint = PolicyJson['principal'] | PolicyJson['resource']

const KIND_OF_TYPE: Readonly<Record<string, ReachedKind>> = {
  Tool: 'tool',
  Resource: 'resource',
  Prompt: 'prompt',
  Skill: 'skill',
}
const KINDS_OF_ACTION: Readonly<Record<string, readonly ReachedKind[]>> = {
  call: ['tool'],
  read: ['resource', 'skill'],
  get: ['prompt'],
}

/** Whether a policy can be about a person, whatever its conditions are. */
export function concernsPerson({ principal }: PolicyJson, { id, groups }: PolicyPerson): boolean {
  return permits(principal, (type, named) =>
    type === 'Group' ? groups.includes(named) : type === 'Person' && named === id,
  )
}

/**
 * Whether a policy can be about a person and something of a server, whatever its conditions are.
 *
 * A `forbid` that can be withholds the texts of the server, which can mention everything of it.
 */
export function mayConcern(
  policy: PolicyJson,
  person: PolicyPerson,
  server: string,
  kind?: ReachedKind,
): boolean {
  const { action, resource } = policy
  const isMeant = (type: string, id: string) =>
    type === 'Server' ? id === server : id.startsWith(`${server}/`) && isKind(KIND_OF_TYPE[type])
  const isKind = (named: ReachedKind | undefined) => !kind || !named || named === kind
  const isType = resource.op !== 'is' || isKind(KIND_OF_TYPE[resource.entity_type])
  const kinds = action.op === '==' ? actionKinds(action) : undefined
  const isAction = !kind || !kinds || kinds.includes(kind)
  return concernsPerson(policy, person) && isType && isAction && permits(resource, isMeant)
}

function actionKinds(
  action: Extract<PolicyJson['action'], { op: '==' }>,
): readonly ReachedKind[] | undefined {
  if (!('entity' in action)) return undefined
  const { id } = '__entity' in action.entity ? action.entity.__entity : action.entity
  return KINDS_OF_ACTION[id]
}

function permits(constraint: Constraint, isMeant: (type: string, id: string) => boolean): boolean {
  const named = constraint.op === 'is' ? constraint.in : constraint
  if (!named || !('entity' in named)) return true
  const { type, id } = '__entity' in named.entity ? named.entity.__entity : named.entity
  return isMeant(type, id)
}
