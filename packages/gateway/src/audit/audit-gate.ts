import type { AuditConfig } from '../config/team-config.ts'
import type { Person } from '../identity/person.ts'
import { isObject } from '../protocol/json-object.ts'
import { isRefusal, RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest, RequestGate, RequestOutcome } from '../serving/request-gate.ts'
import type { AuditActor, AuditedSearch } from './audit-entry.ts'
import type { AuditLog, NewAuditEntry } from './audit-log.ts'
import { clipText } from './clip-text.ts'
import { recordArguments } from './record-arguments.ts'

export interface AuditGateOptions {
  /** Called for each request, because people edit the configuration. */
  readonly config: () => Pick<AuditConfig, 'arguments' | 'required'>
  /** Masks known secrets in a text. */
  readonly mask?: (text: string) => string
}

/** Says nothing about what anybody did. */
const NOT_RECORDED = new Set(['ping'])

const UNAVAILABLE =
  'The gateway cannot write its audit log, so it answers no requests at the moment. Try again in a minute. If the problem persists, tell the administrator of the gateway.'
const WITHHELD =
  'The request was carried out, but the gateway could not record it in its audit log, so the result is withheld. Do not repeat a request that changes something. Tell the administrator of the gateway.'

/**
 * Records every request, with its decision and its outcome.
 *
 * With `required`, an answer is returned only after its entry has been stored. If that fails, the
 * result is withheld, and further requests are refused before they are carried out, until the store
 * works again.
 */
export function auditGate(
  log: AuditLog,
  { config, mask = (text) => text }: AuditGateOptions,
): RequestGate {
  return async (request, next) => {
    if (NOT_RECORDED.has(request.method)) return next()
    const { arguments: how, required } = config()
    const start = performance.now()
    const write = (outcome: Omit<RequestOutcome, 'milliseconds'>) =>
      entryOf(request, { ...outcome, milliseconds: performance.now() - start }, { how, mask })

    if (required && !log.isWorking && !(await log.flush())) {
      const refusal = new RefusedError(UNAVAILABLE, {
        outcome: 'failed',
        reason: 'toolsearch.audit.required: the audit log cannot be written',
        retryAfterMs: 60_000,
      })
      log.record(write(outcomeOf(refusal)))
      throw refusal
    }
    let answer: Awaited<ReturnType<typeof next>>
    try {
      answer = await next()
    } catch (error) {
      const entry = write(outcomeOf(error))
      // There is no result to withhold if it cannot be stored.
      if (required) await log.storeNow(entry).catch(() => log.record(entry))
      else log.record(entry)
      throw error
    }
    const entry = write(answer.outcome)
    if (!required) {
      log.record(entry)
      return answer
    }
    try {
      await log.storeNow(entry)
    } catch {
      const reason = 'toolsearch.audit.required: the entry could not be stored'
      log.record({ ...entry, outcome: 'failed', reason, error: 'The result was withheld.' })
      throw new RefusedError(WITHHELD, { outcome: 'failed', reason })
    }
    return answer
  }
}

/** The person as the audit log names them. */
export function actorOf({ id, name, email, groups }: Person): AuditActor {
  return {
    person: clipText(id, MAX_NAME),
    ...(name !== undefined && { name: clipText(name, MAX_NAME) }),
    ...(email !== undefined && { email: clipText(email, MAX_NAME) }),
    ...(groups.length > 0 && {
      groups: groups.slice(0, MAX_GROUPS).map((group) => clipText(group, MAX_NAME)),
    }),
  }
}

const MAX_NAME = 300
const MAX_GROUPS = 100
const MAX_TEXT = 2_000
const MAX_SEARCHES = 20
const MAX_HITS = 20

function entryOf(
  request: AgentRequest,
  outcome: RequestOutcome,
  { how, mask }: { how: AuditConfig['arguments']; mask: (text: string) => string },
): NewAuditEntry {
  const { caller, method, params, at, client, session } = request
  const target = outcome.target ?? request.target ?? namedTarget(request)
  const args = recordArguments(params.arguments, { how, mask })
  const text = (value: string) => clipText(mask(value), MAX_TEXT)
  return {
    at: new Date(at).toISOString(),
    kind: 'request',
    ...actorOf(caller.person),
    action: clipText(method, MAX_NAME),
    ...(target && {
      target: {
        kind: target.kind,
        ...(target.server !== undefined && { server: target.server }),
        name: clipText(target.name, MAX_TEXT),
      },
    }),
    ...(caller.profile !== undefined && { profile: caller.profile }),
    ...(client !== undefined && { client: clipText(client, MAX_NAME) }),
    ...(session !== undefined && { session: clipText(session.slice(0, 8), 8) }),
    outcome: outcome.outcome,
    ...(outcome.reason !== undefined && { reason: clipText(outcome.reason, MAX_TEXT) }),
    ...(outcome.error !== undefined && { error: text(outcome.error) }),
    milliseconds: Math.round(outcome.milliseconds * 10) / 10,
    requestBytes: Buffer.byteLength(JSON.stringify(params)),
    resultBytes: outcome.resultBytes,
    ...(args !== undefined && { arguments: args }),
    ...(outcome.searches && {
      searches: outcome.searches.slice(0, MAX_SEARCHES).map(
        ({ query, hits }): AuditedSearch => ({
          query: text(query),
          hits: hits.slice(0, MAX_HITS).map((hit) => clipText(hit, MAX_NAME)),
        }),
      ),
    }),
  }
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
  const { name, uri, ref } = params
  if (method === 'tools/call' && typeof name === 'string') return { kind: 'tool', name }
  if (method === 'prompts/get' && typeof name === 'string') return { kind: 'prompt', name }
  if (method.startsWith('resources/') && typeof uri === 'string')
    return { kind: 'resource', name: uri }
  if (!isObject(ref)) return undefined
  if (typeof ref.uri === 'string') return { kind: 'resource', name: ref.uri }
  return typeof ref.name === 'string' ? { kind: 'prompt', name: ref.name } : undefined
}
