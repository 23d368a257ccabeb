import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject } from '../protocol/json-object.ts'
import { agentRequest } from './agent-request.ts'
import { passGate } from './pass-gate.ts'
import { isRefusal, refusedAnswer } from './refused-error.ts'
import type { RequestGate } from './request-gate.ts'
import type { Interceptor } from './stdio-transport.ts'

/** Lets streams of notifications over stdio pass the gate. The SDK opens them itself, without a handler. */
export function gateStdioListen(gate: RequestGate, caller: Caller): Interceptor['intercept'] {
  /** The ids of requests that are in the gate. */
  const entering = new Set<unknown>()

  return (message, { send, passOn }) => {
    if (!isObject(message)) return false
    const { id, method } = message
    const params = isObject(message.params) ? message.params : {}
    // The SDK does not know the request yet, so it could not cancel it.
    if (method === 'notifications/cancelled') return entering.delete(params.requestId)
    const meta = isObject(params._meta) ? params._meta : {}
    const isModern = PROTOCOL_VERSION_META_KEY in meta
    if (method !== 'subscriptions/listen' || id === undefined || !isModern) return false
    entering.add(id)
    const opened = passGate(gate, agentRequest(message, caller), async () => ({}))
    opened.then(
      () => {
        if (entering.delete(id)) passOn()
      },
      (error: unknown) => {
        entering.delete(id)
        const { message } = error as Error
        const answer = isRefusal(error) ? refusedAnswer(error) : { code: -32_603, message }
        send({ jsonrpc: '2.0', id, error: answer })
      },
    )
    return true
  }
}
