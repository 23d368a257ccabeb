import { ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { OutcomeReport } from './outcome-report.ts'
import { passGate } from './pass-gate.ts'
import { isRefusal, refusedAnswer } from './refused-error.ts'
import { isReplayed } from './replayed-requests.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'
import { traceOf } from './request-trace.ts'

type Handler = (
  request: { readonly method: string; readonly params?: JsonObject },
  context: ServerContext,
) => Promise<JsonObject>

/** Calls of tools pass the gate in `createRunCall`, because the shortcut runs them as well. */
const GATED_ELSEWHERE = 'tools/call'

const reports = new WeakMap<object, OutcomeReport>()

/** Where handlers report decisions about a request. Undefined if there are no gates. */
export function reportOf({ mcpReq }: ServerContext): OutcomeReport | undefined {
  return reports.get(mcpReq)
}

export interface GateRequestsOptions {
  readonly callerOf: (context: ServerContext) => Caller
  /** The name of the client program, if known. */
  readonly clientName: (context: ServerContext) => string | undefined
}

/** Passes all requests of a connection through a gate, including those that the SDK answers itself. */
export function gateRequests(
  server: Server,
  gate: RequestGate,
  { callerOf, clientName }: GateRequestsOptions,
): void {
  // The SDK has no hook around its handlers. A test asserts that every method passes the gate.
  const handlers = Reflect.get(server, '_requestHandlers') as Map<string, Handler>
  const find = handlers.get.bind(handlers)
  handlers.get = (method) => {
    const handler = find(method)
    return handler && method !== GATED_ELSEWHERE ? gated(handler) : handler
  }

  function gated(handler: Handler): Handler {
    return async (message, context) => {
      const { mcpReq, sessionId, http } = context
      if (isReplayed(http?.req)) return handler(message, context)
      const params = isObject(message.params) ? message.params : {}
      const request: AgentRequest = {
        caller: callerOf(context),
        method: message.method,
        params,
        at: Date.now(),
        client: clientName(context),
        session: sessionId,
        trace: traceOf(params),
      }
      try {
        return await passGate(
          gate,
          request,
          (report) => {
            reports.set(mcpReq, report)
            return handler(message, context)
          },
          mcpReq.signal,
        )
      } catch (error) {
        if (!isRefusal(error)) throw error
        const { code, message, data } = refusedAnswer(error)
        throw new ProtocolError(code, message, data)
      }
    }
  }
}
