import { createHash } from 'node:crypto'
import type { CedarValueJson, EntityJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { Person } from '../../identity/person.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'
import type { JudgedTool } from '../access-rules.ts'
import type { Policies } from '../create-access.ts'
import { allowed, type Decider, denied } from '../decider.ts'
import { effectOf, isOpenWorld } from '../effect.ts'
import type { Decision, ReachedKind } from '../rights.ts'
import { uriSpellings } from '../uri-spellings.ts'
import type { CedarModule } from './cedar-module.ts'
import { cedarValue } from './cedar-value.ts'
import { mayConcern } from './may-concern.ts'
import { observePolicies, seesContext } from './observe-policies.ts'
import type { Policy } from './read-policies.ts'
import { visiblePolicy } from './visible-policies.ts'

/** What a request is about. */
interface Target {
  readonly type: 'Tool' | 'Resource' | 'Prompt' | 'Server'
  readonly server: string
  /** Of a server, its own name. */
  readonly name: string
  readonly attributes: Readonly<Record<string, CedarValueJson>>
}

type Action = 'use' | 'call' | 'read' | 'get'

interface Question {
  readonly action: Action
  readonly target: Target
  /** The policies to ask. */
  readonly set: string
}

const TYPES = { tool: 'Tool', resource: 'Resource', prompt: 'Prompt' } as const
const POSSIBLE_ANNOTATIONS = [true, false].flatMap((openWorldHint) => [
  { openWorldHint, readOnlyHint: true },
  { openWorldHint, destructiveHint: false },
  { openWorldHint },
])

const MAX_DECISIONS = 50_000
const NOT_PERMITTED = denied('no Cedar policy permits it')
const UNREADABLE = denied('the arguments cannot be given to Cedar policies')

/**
 * Decides by Cedar policies. The engine keeps parsed policies under a name until the process ends, so
 * `slot` should be reused when policies are replaced.
 */
export function createPolicies(
  cedar: CedarModule,
  policies: readonly Policy[],
  slot: string,
): Policies {
  const observed = observePolicies(policies.map(({ json }) => json))
  const version = createHash('sha256')
    .update(JSON.stringify(policies))
    .digest('base64url')
    .slice(0, 16)
  const forbids = new Set(
    policies.filter(({ json }) => json.effect === 'forbid').map(({ id }) => id),
  )
  const conditional = new Set(policies.filter(({ json }) => seesContext(json)).map(({ id }) => id))
  const all = store('all', policies)
  const visible = store(
    'visible',
    policies.flatMap(({ id, json }) => {
      const part = visiblePolicy(json)
      return part ? [{ id, json: part }] : []
    }),
  )
  const restricting = policies.filter(({ id }) => forbids.has(id))
  const permitting = policies.filter(({ id }) => !forbids.has(id))
  const decisions = createBoundedMap<string, Decision>(MAX_DECISIONS)

  function store(name: string, part: readonly Policy[]): string {
    const set = `${slot} ${name}`
    const staticPolicies = Object.fromEntries(part.map(({ id, json }) => [id, json]))
    const answer = cedar.preparsePolicySet(set, { staticPolicies })
    if (answer.type === 'failure') throw new Error(answer.errors[0]?.message ?? 'Invalid policies.')
    return set
  }

  function isMentioned(type: string, id: string): boolean {
    return observed.ids.get(type)?.has(id) ?? false
  }

  function mentionedGroups({ groups }: Person): string[] {
    return [...new Set(groups)].filter((group) => isMentioned('Group', group)).sort()
  }

  function keyOf(person: Person): string {
    const id = uidOf(person)
    const groups = mentionedGroups(person)
    const own = observed.seesPeople ? [id, person.email, person.role] : []
    return JSON.stringify([version, groups, isMentioned('Person', id) ? id : '', ...own])
  }

  /** Targets with the same key cannot be told apart by any policy. */
  function targetKey({ type, server, name, attributes }: Target): string {
    if (observed.seesNames || isMentioned(type, idOf(type, server, name))) {
      return JSON.stringify([type, server, name, attributes])
    }
    const { effect = '', openWorld = '' } = attributes
    const where = observed.seesServers || isMentioned('Server', server) ? server : ''
    return JSON.stringify([type, where, effect, openWorld])
  }

  function whoIs(person: Person): { id: string; groups: readonly string[] } {
    return { id: uidOf(person), groups: mentionedGroups(person) }
  }

  /** Everything of one kind that policies could tell apart on a server, as long as they see no names. */
  function possibleTargets(server: string, kind: ReachedKind): Question[] {
    const mentioned = [...(observed.ids.get(TYPES[kind]) ?? [])]
      .filter((id) => id.startsWith(`${server}/`))
      .map((id) => id.slice(server.length + 1))
    return ['', ...mentioned].flatMap((name): Question[] => {
      if (kind === 'resource') {
        return [{ action: 'read', target: resourceTarget(server, name), set: all }]
      }
      if (kind === 'prompt')
        return [{ action: 'get', target: promptTarget(server, name), set: all }]
      return POSSIBLE_ANNOTATIONS.map((annotations) => ({
        action: 'call',
        target: toolTarget({ server, name, annotations }),
        set: visible,
      }))
    })
  }

  function deciderFor(person: Person): Decider {
    const key = keyOf(person)

    function remembered(action: Action, target: Target, set: string): Decision {
      const name = `${key} ${action} ${set} ${targetKey(target)}`
      const decision = decisions.get(name) ?? ask(person, action, target, set, {})
      decisions.set(name, decision)
      return decision
    }

    const decideTool = (tool: JudgedTool) => remembered('call', toolTarget(tool), visible)
    return {
      tool: decideTool,
      call(tool, args) {
        const decision = decideTool(tool)
        if (!decision.isAllowed || !observed.seesArguments) return decision
        const given = cedarValue(args)
        if (given === undefined) return UNREADABLE
        return ask(person, 'call', toolTarget(tool), all, { arguments: given })
      },
      resource({ server, uri }) {
        // a server may read a URI in another way than it is written
        const spellings = observed.seesNames ? uriSpellings(uri) : [uri]
        const answers = spellings.map((name) =>
          remembered('read', resourceTarget(server, name), all),
        )
        return answers.find(({ isAllowed }) => !isAllowed) ?? answers[0]!
      },
      prompt: ({ server, name }) => remembered('get', promptTarget(server, name), all),
      server(server) {
        const forbid = restricting.find(({ json }) => mayConcern(json, whoIs(person), server))
        if (forbid) return denied(forbid.id)
        return remembered('use', target('Server', server, server, {}), all)
      },
      reaches(server, kind) {
        if (observed.seesNames) {
          const who = whoIs(person)
          return permitting.some(({ json }) => mayConcern(json, who, server, kind))
        }
        return possibleTargets(server, kind).some(
          ({ action, target: asked, set }) => remembered(action, asked, set).isAllowed,
        )
      },
    }
  }

  function ask(
    person: Person,
    action: Action,
    asked: Target,
    set: string,
    context: Record<string, CedarValueJson>,
  ): Decision {
    const answer = cedar.statefulIsAuthorized({
      principal: { type: 'Person', id: uidOf(person) },
      action: { type: 'Action', id: action },
      resource: { type: asked.type, id: idOf(asked.type, asked.server, asked.name) },
      context,
      preparsedPolicySetId: set,
      entities: [personEntity(person, mentionedGroups(person)), targetEntity(asked), ...ACTIONS],
    })
    if (answer.type === 'failure') {
      return denied(`Cedar cannot decide: ${answer.errors[0]?.message ?? 'unknown error'}`)
    }
    const { decision, diagnostics } = answer.response
    // the engine names them in any order
    const reasons = new Set(diagnostics.reason)
    const reason = policies.find(({ id }) => reasons.has(id))?.id
    // Cedar ignores a policy that fails. A `forbid` that fails might have forbidden it.
    const isCall = 'arguments' in context
    const failed = diagnostics.errors
      .filter(({ policyId: id }) => forbids.has(id) && (isCall || !conditional.has(id)))
      .sort((one, other) => (one.policyId < other.policyId ? -1 : 1))[0]
    if (failed) return denied(`${failed.policyId} fails: ${failed.error.message}`)
    if (decision === 'allow') return allowed(reason ?? 'Cedar')
    return reason === undefined ? NOT_PERMITTED : denied(reason)
  }

  return { keyOf, deciderFor }
}

/** The id in policies: `Person::"https://login.example.com ann"`. */
function uidOf({ issuer, subject }: Person): string {
  return `${issuer} ${subject}`
}

function idOf(type: Target['type'], server: string, name: string): string {
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

function toolTarget(tool: JudgedTool): Target {
  const { server, name } = tool
  return target('Tool', server, name, {
    name,
    effect: effectOf(tool),
    openWorld: isOpenWorld(tool),
  })
}

function resourceTarget(server: string, uri: string): Target {
  return target('Resource', server, uri, { uri })
}

function promptTarget(server: string, name: string): Target {
  return target('Prompt', server, name, { name })
}

function personEntity(person: Person, groups: readonly string[]): EntityJson {
  const { issuer, subject, email, role } = person
  return {
    uid: { type: 'Person', id: uidOf(person) },
    attrs: { issuer, subject, role, ...(email !== undefined && { email }) },
    parents: groups.map((id) => ({ type: 'Group', id })),
  }
}

function targetEntity({ type, server, name, attributes }: Target): EntityJson {
  return {
    uid: { type, id: idOf(type, server, name) },
    attrs: { ...attributes, server },
    parents: type === 'Server' ? [] : [{ type: 'Server', id: server }],
  }
}

/** `use` stands for all of them, so that a policy need not list them. */
const ACTIONS: EntityJson[] = ['call', 'read', 'get'].map((id) => ({
  uid: { type: 'Action', id },
  attrs: {},
  parents: [{ type: 'Action', id: 'use' }],
}))
