import {
  type AuthInfo,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { methodOf } from '../protocol/methods.ts'
import type { FindTarget } from './find-target.ts'
import type { OutcomeReport } from './outcome-report.ts'
import { passGate } from './pass-gate.ts'
import { isRefusal, refusedAnswer } from './refused-error.ts'
import { isReplayed } from './replayed-requests.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'
import { traceOf } from './request-trace.ts'

interface Message {
  readonly method: string
  readonly params?: JsonObject
}

type Handler = (request: Message, context: ServerContext) => Promise<JsonObject>
type Receive = (message: Message, extra?: { readonly authInfo?: AuthInfo }) => void

/** Valid calls of tools pass the gate in `createRunCall`, because the shortcut runs them as well. */
const GATED_ELSEWHERE = 'tools/call'

/** Calls that the SDK has found valid. */
const valid = new WeakSet<object>()

/** Marks a call as valid: it is about to pass the gate. */
export function markValid({ mcpReq }: ServerContext): void {
  valid.add(mcpReq)
}

const reports = new WeakMap<object, OutcomeReport>()

/** Where handlers report decisions about a request. Undefined if there are no gates. */
export function reportOf({ mcpReq }: ServerContext): OutcomeReport | undefined {
  return reports.get(mcpReq)
}

export interface GateRequestsOptions {
  readonly callerOf: (authInfo: AuthInfo | undefined) => Caller
  /** The name of the client program, if known. */
  readonly clientName: (clientInfo?: unknown) => string | undefined
  /** Looks for what a request is for. */
  readonly findTarget: FindTarget
}

/** Passes all requests of a connection through a gate, including those that the SDK answers itself. */
export function gateRequests(
  server: Server,
  gate: RequestGate,
  { callerOf, clientName, findTarget }: GateRequestsOptions,
): void {
  // The SDK has no hook around its handlers. A test asserts that every method passes the gate.
  const handlers = Reflect.get(server, '_requestHandlers') as Map<string, Handler>
  const find = handlers.get.bind(handlers)
  let isHandled = false
  handlers.get = (method) => {
    const handler = find(method)
    isHandled = handler !== undefined
    return handler && (method === GATED_ELSEWHERE ? gatedIfInvalid(handler) : gated(handler))
  }
  const receive = (Reflect.get(server, '_onrequest') as Receive).bind(server)
  const receiveGated: Receive = (message, extra) => {
    isHandled = false
    receive(message, extra)
    // The SDK has answered that there is no such method, at least not in this protocol version.
    if (!isHandled)
      void passGate(gate, requestOf(message, extra?.authInfo), noMethod).catch(() => {})
  }
  Reflect.set(server, '_onrequest', receiveGated)

  function requestOf(message: Message, authInfo: AuthInfo | undefined): AgentRequest {
    const { method } = message
    const params = isObject(message.params) ? message.params : {}
    return {
      caller: callerOf(authInfo),
      method,
      params,
      at: Date.now(),
      // The SDK knows it only after this request.
      client: clientName(method === 'initialize' ? params.clientInfo : undefined),
      session: server.transport?.sessionId,
      trace: traceOf(params),
    }
  }

  function gatedIfInvalid(handler: Handler): Handler {
    return async (message, context) => {
      try {
        return await handler(message, context)
      } catch (error) {
        const { mcpReq, http } = context
        if (!valid.has(mcpReq)) {
          const reject = () => Promise.reject(error)
          await passGate(gate, requestOf(message, http?.authInfo), reject).catch(() => {})
        }
        throw error
      }
    }
  }

  function gated(handler: Handler): Handler {
    return async (message, context) => {
      const { mcpReq, http } = context
      if (isReplayed(http?.req)) return handler(message, context)
      const asked = requestOf(message, http?.authInfo)
      const request = methodOf(asked.method).target
        ? { ...asked, findTarget: () => findTarget(asked) }
        : asked
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

async function noMethod(): Promise<never> {
  throw new Error('Method not found')
}
