import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../protocol/json-object.ts'
import type { AgentRequest } from './request-gate.ts'

type Trace = NonNullable<AgentRequest['trace']>

const FIELDS = ['traceparent', 'tracestate']

/** The trace context in the headers of the HTTP request that is being answered. */
const ofHeaders = new AsyncLocalStorage<Trace>()

/** Runs a task that answers an HTTP request, whose headers may contain a trace context (W3C). */
export function withTrace<Result>(headers: IncomingHttpHeaders, task: () => Result): Result {
  // Most requests have none, and storages cost time.
  if (headers.traceparent === undefined) return task()
  return ofHeaders.run(fieldsOf(headers), task)
}

/**
 * The trace context of a request: that of its `_meta` field, otherwise that of the HTTP headers. The two
 * are not mixed, because `tracestate` belongs to one `traceparent`.
 */
export function traceOf({ _meta }: JsonObject): AgentRequest['trace'] {
  const own = fieldsOf((_meta ?? {}) as JsonObject)
  const trace = own.traceparent === undefined ? { ...ofHeaders.getStore(), ...own } : own
  return Object.keys(trace).length === 0 ? undefined : trace
}

function fieldsOf(from: Readonly<Record<string, unknown>>): Trace {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = from[field]
      return typeof value === 'string' ? [[field, value] as const] : []
    }),
  )
}
