import { createHash } from 'node:crypto'
import type {
  AuthorizationAnswer,
  CedarValueJson,
  StatefulAuthorizationCall,
} from '@cedar-policy/cedar-wasm/nodejs'
import type { Person } from '../../identity/person.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'
import type { JudgedTool } from '../access-rules.ts'
import type { Policies } from '../create-access.ts'
import { allowed, type Decider, denied } from '../decider.ts'
import type { Decision, ReachedKind } from '../rights.ts'
import { namesOf } from '../rule-subjects.ts'
import { uriSpellings } from '../uri-spellings.ts'
import type { CedarModule } from './cedar-module.ts'
import {
  ACTION_ENTITIES,
  type Action,
  idOf,
  personEntity,
  promptTarget,
  resourceTarget,
  serverTarget,
  skillTarget,
  type Target,
  targetEntity,
  toolTarget,
  uidOf,
} from './cedar-request.ts'
import { cedarValue } from './cedar-value.ts'
import { mayConcern } from './may-concern.ts'
import { observePolicies, seesContext } from './observe-policies.ts'
import { createPolicySlices, type PolicySlice } from './policy-slices.ts'
import type { Policy } from './read-policies.ts'

interface Question {
  readonly action: Action
  readonly target: Target
  /** The policies to ask. */
  readonly set: keyof PolicySlice
}

const TYPES = { tool: 'Tool', resource: 'Resource', prompt: 'Prompt', skill: 'Skill' } as const
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
 *
 * @param issuers that people can come from
 */
export function createPolicies(
  cedar: CedarModule,
  policies: readonly Policy[],
  slot: string,
  issuers: readonly string[] = [],
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
  const sliceFor = createPolicySlices(cedar, policies, slot)
  const restricting = policies.filter(({ id }) => forbids.has(id))
  const permitting = policies.filter(({ id }) => !forbids.has(id))
  const decisions = createBoundedMap<string, Decision>(MAX_DECISIONS)

  function isMentioned(type: string, id: string): boolean {
    return observed.ids.get(type)?.has(id) ?? false
  }

  /** With several issuers, a policy that names a group alone could mean that of any of them. */
  function mentionedGroups({ issuer, groups }: Person): string[] {
    const names = groups.flatMap((group) =>
      namesOf(issuer, group).slice(issuers.length > 1 ? -1 : 0),
    )
    return [...new Set(names)].filter((group) => isMentioned('Group', group)).sort()
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
        return [{ action: 'read', target: resourceTarget(server, name), set: 'all' }]
      }
      if (kind === 'skill') {
        return [{ action: 'read', target: skillTarget(server, name), set: 'all' }]
      }
      if (kind === 'prompt')
        return [{ action: 'get', target: promptTarget(server, name), set: 'all' }]
      return POSSIBLE_ANNOTATIONS.map((annotations) => ({
        action: 'call',
        target: toolTarget({ server, name, annotations }),
        set: 'visible',
      }))
    })
  }

  function deciderFor(person: Person): Decider {
    const key = keyOf(person)

    function remembered(action: Action, target: Target, set: keyof PolicySlice): Decision {
      const name = `${key} ${action} ${set} ${targetKey(target)}`
      const decision = decisions.get(name) ?? ask(person, action, target, set, {})
      decisions.set(name, decision)
      return decision
    }

    const decideTool = (tool: JudgedTool) => remembered('call', toolTarget(tool), 'visible')
    return {
      tool: decideTool,
      call(tool, args) {
        const decision = decideTool(tool)
        if (!decision.isAllowed || !observed.seesArguments) return decision
        const given = cedarValue(args)
        if (given === undefined) return UNREADABLE
        return ask(person, 'call', toolTarget(tool), 'all', { arguments: given })
      },
      resource({ server, uri }) {
        // a server may read a URI in another way than it is written
        const spellings = observed.seesNames ? uriSpellings(uri) : [uri]
        const answers = spellings.map((name) =>
          remembered('read', resourceTarget(server, name), 'all'),
        )
        return answers.find(({ isAllowed }) => !isAllowed) ?? answers[0]!
      },
      prompt: ({ server, name }) => remembered('get', promptTarget(server, name), 'all'),
      skill: ({ server, name }) => remembered('read', skillTarget(server, name), 'all'),
      server(server) {
        const forbid = restricting.find(({ json }) => mayConcern(json, whoIs(person), server))
        if (forbid) return denied(forbid.id)
        return remembered('use', serverTarget(server), 'all')
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

  /** The engine may throw for arguments of a shape that it was not written for. */
  function authorize(request: StatefulAuthorizationCall): AuthorizationAnswer {
    try {
      return cedar.statefulIsAuthorized(request)
    } catch (error) {
      const failure = { message: String(error), help: null, code: null, url: null, severity: null }
      return { type: 'failure', errors: [failure], warnings: [] }
    }
  }

  function ask(
    person: Person,
    action: Action,
    asked: Target,
    set: keyof PolicySlice,
    context: Record<string, CedarValueJson>,
  ): Decision {
    const answer = authorize({
      principal: { type: 'Person', id: uidOf(person) },
      action: { type: 'Action', id: action },
      resource: { type: asked.type, id: idOf(asked.type, asked.server, asked.name) },
      context,
      preparsedPolicySetId: sliceFor(whoIs(person), keyOf(person))[set],
      entities: [
        personEntity(person, mentionedGroups(person)),
        targetEntity(asked),
        ...ACTION_ENTITIES,
      ],
    })
    if (answer.type === 'failure') {
      return denied(`Cedar cannot decide: ${answer.errors[0]?.message ?? 'unknown error'}`)
    }
    const { decision, diagnostics } = answer.response
    // the engine names them in any order
    const reasons = new Set(diagnostics.reason)
    const deciding = policies.map(({ id }) => id).filter((id) => reasons.has(id))
    const [first] = deciding
    const reason = deciding.find((id) => !conditional.has(id)) ?? first
    // Cedar ignores a policy that fails. A `forbid` that fails might have forbidden it.
    const isCall = 'arguments' in context
    const failed = diagnostics.errors
      .filter(({ policyId: id }) => forbids.has(id) && (isCall || !conditional.has(id)))
      .sort((one, other) => (one.policyId < other.policyId ? -1 : 1))[0]
    if (failed) return denied(`${failed.policyId} fails: ${failed.error.message}`)
    if (decision === 'allow') {
      const isOpen = set === 'visible' && reason !== undefined && conditional.has(reason)
      const permit = allowed(reason ?? 'Cedar')
      return isOpen ? { ...permit, withArguments: deciding.map(conditionsOf) } : permit
    }
    return reason === undefined ? NOT_PERMITTED : denied(reason)
  }

  return { keyOf, deciderFor }
}

function conditionsOf(policy: string): string {
  return `the conditions of ${policy} hold`
}
