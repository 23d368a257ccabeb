import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallOptions, Gateway, GatewayClient } from '../../offering/gateway.ts'
import type { CallResult } from '../../offering/large-results.ts'
import { logLevelOf } from '../../offering/log-levels.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import type { RequestOptions } from '../../protocol/request-options.ts'
import type { Era } from '../../protocol/versions.ts'
import { passedEnvelope } from '../caller.ts'
import { type BegunCall, beginCall } from './begin-call.ts'
import { plainAnswer } from './plain-answer.ts'
import type { ReadCall } from './read-call.ts'

/** The calls of one connection, or of one request where the protocol has no connections. */
export interface ConnectionCalls {
  /** Makes a call for the SDK. Rejects with the error of a server if the client can make use of it. */
  run(params: JsonObject, options: RequestOptions, clientInfo?: unknown): Promise<CallResult>
  /**
   * Makes a call without the SDK. False if one with the same id is under way, which is for the SDK
   * to judge.
   */
  start(call: ReadCall, outcome: StartedCall): boolean
  /** Whether a call was under way without the SDK, and is now cancelled and not answered. */
  cancel(id: unknown): boolean
  /** A call that was started and is now for the SDK to go on with. Gives it once. */
  takeOver(id: unknown): BegunCall | undefined
  /** Cancels what was started, and answers it with an error: nobody has asked for its end. */
  close(): void
}

/** What becomes of a call that was started: one of the functions is called, once. */
export interface StartedCall {
  /** It is over, and this is all there is to say. */
  readonly answer: (message: JsonObject) => void
  /** There is more to it, and the SDK is to get the request: it goes on with the call as it is. */
  readonly passOn: () => void
  /** It was cancelled, and whoever cancels wants no answer. */
  readonly drop?: () => void
  /** How long it may take before the SDK gets it. @default for ever */
  readonly patienceMs?: number
}

export interface ConnectionCallsOptions extends Pick<CallOptions, 'onFound' | 'onResult'> {
  readonly era: Era
  readonly party: object
  /** What the gateway says of itself. */
  readonly serverInfo: JsonObject
  /** Who calls, by what came with the call. */
  readonly client: (clientInfo: unknown) => GatewayClient | undefined
}

const CLOSED = { code: -32_000, message: 'The connection was closed before the call was over.' }

export function createConnectionCalls(
  gateway: Gateway,
  { era, party, serverInfo, client, onFound, onResult }: ConnectionCallsOptions,
): ConnectionCalls {
  const running = new Map<unknown, Pick<StartedCall, 'answer' | 'drop'> & { begun: BegunCall }>()
  const passedOn = new Map<unknown, BegunCall>()
  // as for a call that the SDK makes: the older era sets its level once
  const asked = () => ({
    party,
    envelope: passedEnvelope({}, era === 'legacy' ? (logLevelOf(party) ?? 'debug') : undefined),
  })

  // a client of the older era has to open an address then; the newer one knows no such error
  const rejectsWith: CallOptions['rejectsWith'] = ({ code }, isDirect) =>
    code === ProtocolErrorCode.UrlElicitationRequired ? era === 'legacy' : isDirect

  const calls: ConnectionCalls = {
    run(params, options, clientInfo) {
      const who = { client: client(clientInfo), rejectsWith }
      return gateway.callTool(params, {
        ...options,
        ...who,
        ...(onFound && { onFound }),
        ...(onResult && { onResult }),
      })
    },
    start(call, { answer, passOn, drop, patienceMs }) {
      const { id, params, clientInfo } = call
      if (running.has(id) || passedOn.has(id)) return false
      let timer: NodeJS.Timeout | undefined
      /** False if it is nobody's any more. */
      const end = () => {
        clearTimeout(timer)
        return running.get(id)?.begun === begun && running.delete(id)
      }
      const handOver = () => {
        if (!end()) return
        passedOn.set(id, begun)
        passOn()
      }
      const begun = beginCall({
        run: (options) => calls.run(params, { ...options, ...asked() }, clientInfo),
        wantsProgress: (params._meta as JsonObject | undefined)?.progressToken !== undefined,
        onNews: handOver,
      })
      running.set(id, { begun, answer, ...(drop && { drop }) })
      if (patienceMs !== undefined) timer = setTimeout(handOver, patienceMs).unref()
      begun.outcome.then((result) => {
        const message = plainAnswer(call, result, serverInfo)
        if (!message) handOver()
        else if (end()) answer(message)
      }, handOver)
      return true
    },
    cancel(id) {
      const call = running.get(id)
      running.delete(id)
      call?.begun.cancel()
      call?.drop?.()
      return call !== undefined
    },
    takeOver(id) {
      const begun = passedOn.get(id)
      passedOn.delete(id)
      return begun
    },
    close() {
      for (const [id, { begun, answer }] of running) {
        running.delete(id)
        begun.cancel()
        answer({ jsonrpc: '2.0', id, error: CLOSED })
      }
      for (const { cancel } of passedOn.values()) cancel()
      passedOn.clear()
    },
  }
  return calls
}
