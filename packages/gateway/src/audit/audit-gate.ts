import { effectOf } from '../access/effect.ts'
import type { AuditConfig } from '../config/team-config.ts'
import type { Person } from '../identity/person.ts'
import { isObject } from '../protocol/json-object.ts'
import { methodOf } from '../protocol/methods.ts'
import { hasEnded } from '../protocol/task-extension.ts'
import { isRefusal, RefusedError } from '../serving/refused-error.ts'
import type {
  AgentRequest,
  GatedAnswer,
  RequestGate,
  RequestOutcome,
  RequestTarget,
} from '../serving/request-gate.ts'
import type { AuditActor } from './audit-entry.ts'
import type { AuditLog, AuditStart, NewAuditEntry } from './audit-log.ts'
import { clipText } from './clip-text.ts'
import { maskStart } from './mask-start.ts'
import { recordArguments } from './record-arguments.ts'

export interface AuditGateOptions {
  /** Called for each request, because people edit the configuration. */
  readonly config: () => Pick<AuditConfig, 'arguments' | 'required'>
  /** Masks known secrets in a text. */
  readonly mask?: (text: string) => string
  /** Masks a person's own credentials in a text. Undefined if there can be none. */
  readonly maskFor?: (person: Person) => Promise<(text: string) => string> | undefined
}

const UNAVAILABLE =
  'The gateway cannot write its audit log, so it answers no requests at the moment. Try again in a minute. If the problem persists, tell the administrator of the gateway.'
const WITHHELD =
  'The request was carried out, but the gateway could not record it in its audit log, so the result is withheld. Do not repeat a request that changes something. Tell the administrator of the gateway.'

/**
 * Records requests as `methodOf` says, with their decisions and outcomes. A call that may change something is recorded
 * when it starts as well, so that it leaves a trace if this process is killed meanwhile. The entry of its
 * end replaces that of its start.
 *
 * With `required`, nothing is executed before its start has been stored, and an answer is returned only after
 * its entry has been stored. If the store fails in between, the result is withheld.
 */
export function auditGate(
  log: AuditLog,
  { config, mask: maskKnown = (text) => text, maskFor }: AuditGateOptions,
): RequestGate {
  return async (request, next) => {
    const { recorded } = methodOf(request.method)
    if (recorded === 'never') return next()
    const { arguments: wanted, required } = config()
    const begin = performance.now()
    const own = wanted === 'redacted' ? maskFor?.(request.caller.person) : undefined
    // What cannot be masked is not recorded.
    const maskOwn = own && (await own.catch(() => undefined))
    const how = own && !maskOwn ? 'shape' : wanted
    const mask = maskOwn ? (text: string) => maskKnown(maskOwn(text)) : maskKnown
    const entry = startEntry(request, { how, mask })
    const end = (outcome: Omit<RequestOutcome, 'milliseconds'>) =>
      addOutcome(entry, outcome, { milliseconds: performance.now() - begin, mask })
    const refuse = (): never => {
      const refusal = new RefusedError(UNAVAILABLE, {
        outcome: 'failed',
        reason: 'toolsearch.audit.required: the audit log cannot be written',
        retryAfterMs: 60_000,
      })
      end(outcomeOf(refusal))
      log.record(entry)
      throw refusal
    }

    if (required && !log.isWorking && !(await log.flush())) return refuse()
    const isStarted = recorded === 'always' && (required ? isExecuted(request) : mayChange(request))
    let start: AuditStart | undefined
    if (isStarted && required) start = await log.storeNow(entry).catch(refuse)
    else if (isStarted) start = log.start(() => entry)
    let answer: Awaited<ReturnType<typeof next>>
    try {
      answer = await next()
    } catch (error) {
      end(outcomeOf(error))
      // There is no result to withhold if it cannot be stored.
      if (required) await log.storeNow(entry, start).catch(() => log.record(entry, start))
      else log.record(entry, start)
      throw error
    }
    end(answer.outcome)
    if (recorded === 'results' && !hasResult(answer)) return answer
    if (!required) {
      log.record(entry, start)
      return answer
    }
    try {
      await log.storeNow(entry, start)
    } catch {
      const reason = 'toolsearch.audit.required: the entry could not be stored'
      log.record({ ...entry, outcome: 'failed', reason, error: 'The result was withheld.' }, start)
      throw new RefusedError(WITHHELD, { outcome: 'failed', reason })
    }
    return answer
  }
}

/** Whether an answer contains the result of a task, or none because something failed. */
function hasResult({ result, outcome }: GatedAnswer): boolean {
  return outcome.outcome !== 'ok' || hasEnded(result)
}

/** Whether a server may have to do something for the request. */
function isExecuted({ method, target, params }: AgentRequest): boolean {
  if (!methodOf(method).isExecuted) return false
  // A tool of the gateway that names no other tool, such as `tool_search`, calls none.
  const inner = isObject(params.arguments) ? params.arguments.name : undefined
  return target?.kind !== 'meta' || inner !== undefined
}

/** Whether the request may change something. So may a tool that is not known yet. */
function mayChange(request: AgentRequest): boolean {
  if (request.method !== 'tools/call' || !isExecuted(request)) return false
  const { target } = request
  return target?.kind !== 'tool' || effectOf({ annotations: target.annotations ?? {} }) !== 'read'
}

/** Requests with the same credentials mostly have the same object. */
const actors = new WeakMap<object, AuditActor>()

/** The person as the audit log names them. */
export function actorOf(person: Pick<Person, 'id' | 'name' | 'email' | 'groups'>): AuditActor {
  const known = actors.get(person)
  if (known) return known
  const { id, name, email, groups } = person
  const actor: AuditActor = {
    person: clipText(id, MAX_NAME),
    ...(name !== undefined && { name: clipText(name, MAX_NAME) }),
    ...(email !== undefined && { email: clipText(email, MAX_NAME) }),
    ...(groups.length > 0 && {
      groups: groups.slice(0, MAX_GROUPS).map((group) => clipText(group, MAX_NAME)),
    }),
  }
  actors.set(person, actor)
  return actor
}

const MAX_NAME = 300
const MAX_GROUPS = 100
const MAX_TEXT = 2_000
const MAX_SEARCHES = 20
const MAX_HITS = 20

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The entry of a request that has started. Fields are assigned one by one: spreads cost several times as much. */
function startEntry(
  request: AgentRequest,
  { how, mask }: { how: AuditConfig['arguments']; mask: (text: string) => string },
): Writable<NewAuditEntry> {
  const { caller, method, params, at, client, session, script } = request
  const target = request.target ?? namedTarget(request)
  const args = recordArguments(params.arguments, { how, mask })
  const { person, name, email, groups } = actorOf(caller.person)
  const entry: Writable<NewAuditEntry> = {
    at,
    kind: 'request',
    person,
    action: clipText(method, MAX_NAME),
    outcome: 'unknown',
    requestBytes: Buffer.byteLength(JSON.stringify(params)),
  }
  if (name !== undefined) entry.name = name
  if (email !== undefined) entry.email = email
  if (groups) entry.groups = groups
  if (target) entry.target = targetEntry(target)
  if (caller.profile !== undefined) entry.profile = caller.profile
  if (client !== undefined) entry.client = clipText(client, MAX_NAME)
  if (session !== undefined) entry.session = clipText(session.slice(0, 8), 8)
  if (script) entry.script = script.id
  if (args !== undefined) entry.arguments = args
  return entry
}

/** Makes the entry of a start that of the end. The log has a copy of the start if it needs one. */
function addOutcome(
  entry: Writable<NewAuditEntry>,
  { outcome, target, reason, error, resultBytes, searches }: Omit<RequestOutcome, 'milliseconds'>,
  { milliseconds, mask }: { milliseconds: number; mask: (text: string) => string },
): void {
  const text = (value: string) => {
    const { masked, total } = maskStart(value, { mask, length: MAX_TEXT })
    return clipText(masked, MAX_TEXT, total)
  }
  entry.outcome = outcome
  entry.milliseconds = Math.round(milliseconds * 10) / 10
  entry.resultBytes = resultBytes
  if (target) entry.target = targetEntry(target)
  if (reason !== undefined) entry.reason = clipText(reason, MAX_TEXT)
  if (error !== undefined) entry.error = text(error)
  if (searches) {
    entry.searches = searches.slice(0, MAX_SEARCHES).map(({ query, hits }) => ({
      query: text(query),
      hits: hits.slice(0, MAX_HITS).map((hit) => clipText(hit, MAX_NAME)),
    }))
  }
}

function targetEntry({ kind, server, name }: RequestTarget): RequestTarget {
  const clipped = clipText(name, MAX_TEXT)
  return server === undefined ? { kind, name: clipped } : { kind, server, name: clipped }
}

/** What an error means for the audit log. */
function outcomeOf(error: unknown): Omit<RequestOutcome, 'milliseconds'> {
  const { message } = error instanceof Error ? error : { message: String(error) }
  const base = { resultBytes: 0, error: message }
  if (isRefusal(error)) return { ...base, outcome: error.outcome, reason: error.reason }
  const { name, code } = error as { name?: unknown; code?: unknown }
  const isCancelled = name === 'AbortError' || code === 'cancelled'
  return { ...base, outcome: isCancelled ? 'cancelled' : 'failed' }
}

/** What the agent asked for, in its own words, if there is no such thing. */
function namedTarget({ method, params }: AgentRequest): RequestOutcome['target'] {
  const kind = methodOf(method).target
  const { name, uri, ref } = params
  if (kind === 'tool' || kind === 'prompt')
    return typeof name === 'string' ? { kind, name } : undefined
  if (kind === 'resource' || kind === 'skill')
    return typeof uri === 'string' ? { kind, name: uri } : undefined
  if (kind !== 'completion' || !isObject(ref)) return undefined
  if (typeof ref.uri === 'string') return { kind: 'resource', name: ref.uri }
  return typeof ref.name === 'string' ? { kind: 'prompt', name: ref.name } : undefined
}
