import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject } from '../protocol/json-object.ts'
import type { AgentRequest } from './request-gate.ts'
import { traceOf } from './request-trace.ts'

/** A message for the gates, if no server of the SDK passes it through them. */
export function agentRequest(message: unknown, caller: Caller): AgentRequest {
  const { method, params: given } = isObject(message) ? message : {}
  const params = isObject(given) ? given : {}
  const info = isObject(params._meta) ? params._meta[CLIENT_INFO_META_KEY] : undefined
  const name = isObject(info) ? info.name : undefined
  return {
    caller,
    method: String(method),
    params,
    at: Date.now(),
    ...(typeof name === 'string' && { client: name }),
    trace: traceOf(params),
  }
}
