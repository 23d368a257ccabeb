/**
 * The shortcut: plain tool calls are answered without the MCP SDK.
 *
 * Most requests are plain `tools/call` requests, and most results are a few texts. The SDK parses and
 * validates each of them several times, and over HTTP it creates a server for each modern request; a
 * gateway only forwards them. So once the SDK has opened a connection:
 *
 * 1. `stdio-shortcut.ts` and `http-shortcut.ts` see each message before the SDK does.
 * 2. `read-call.ts` recognizes plain, valid calls. Everything else goes to the SDK, errors included.
 * 3. `shortcut-calls.ts` (this file) runs the call.
 * 4. `plain-answer.ts` writes the response if the result consists of texts and structured content.
 * 5. If the call needs more (progress, log messages, other content, an error response, a long time),
 *    the SDK receives the request and takes over the running call, which is not run twice.
 *
 * Clients cannot tell the difference: the tests run the same calls with the shortcut on and off and
 * compare the answers. The setting `shortcut: false` turns it off.
 */

import type { McpServerFactory, Server } from '@modelcontextprotocol/server'
import type { Caller } from '../../identity/caller.ts'
import type { CallResult } from '../../offering/large-results.ts'
import { logLevelOf } from '../../offering/log-levels.ts'
import { createCancellation } from '../../protocol/cancellation.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import type { RequestOptions } from '../../protocol/request-options.ts'
import { decline } from '../../protocol/server-request.ts'
import type { Era } from '../../protocol/versions.ts'
import { forwardedEnvelope } from '../requesting-client.ts'
import type { RunCall } from '../run-call.ts'
import { plainAnswer } from './plain-answer.ts'
import type { ReadCall } from './read-call.ts'

/** What the shortcut needs from the servers that the SDK uses. */
export interface Shortcut {
  /** The calls of a connection, by the server that the SDK uses for it. */
  callsOf(server: Server): ShortcutCalls
  /** For a single modern request: its calls, and a factory for a server that can take them over. */
  forRequest(caller: Caller): {
    readonly calls: ShortcutCalls
    readonly factory: McpServerFactory
  }
}

/** The calls of one connection, or of one modern request, that run without the SDK. */
export interface ShortcutCalls {
  /** Starts a call. Returns false if its id is already in use: the SDK has to handle that. */
  start(call: ReadCall, handlers: CallHandlers): boolean
  /** Cancels a running call without answering it. Returns false if there is none with that id. */
  cancel(id: unknown): boolean
  /** The running call of a request that was passed on to the SDK. Returns it only once. */
  takeOver(id: unknown): StartedCall | undefined
  /** Cancels all calls. Those that the SDK has not taken over are answered with an error. */
  close(): void
}

/** How a call ends: exactly one of the functions is called, once. */
export interface CallHandlers {
  /** Who makes the call. @default the caller of the connection */
  readonly caller?: Caller
  /** Sends the complete response. */
  readonly answer: (message: JsonObject) => void
  /** Passes the request on to the SDK, which takes over the running call. */
  readonly passOn: () => void
  /** The client has cancelled the call and expects no response. */
  readonly drop?: () => void
  /** The call is passed on to the SDK after this time. @default never */
  readonly passOnAfterMs?: number
}

/** A running call. Its notifications are queued until a caller can receive them. */
interface StartedCall {
  /** Settles with the call. */
  readonly outcome: Promise<CallResult>
  /** Sends the notifications so far, and all further ones, to this caller, who may also cancel. */
  continueWith(caller: RequestOptions): Promise<CallResult>
  cancel(): void
}

export interface ShortcutCallsOptions {
  readonly era: Era
  readonly connection: object
  readonly serverInfo: JsonObject
}

const CLOSED = { code: -32_000, message: 'The connection was closed before the call finished.' }

export function createShortcutCalls(
  runCall: RunCall,
  { era, connection, serverInfo }: ShortcutCallsOptions,
): ShortcutCalls {
  const running = new Map<unknown, Pick<CallHandlers, 'answer' | 'drop'> & { call: StartedCall }>()
  const passedOn = new Map<unknown, StartedCall>()
  // The same as for a call through the SDK. Only legacy clients set a log level once for all calls.
  const clientOptions = () => ({
    clientConnection: connection,
    envelope: forwardedEnvelope(
      {},
      era === 'legacy' ? (logLevelOf(connection) ?? 'debug') : undefined,
    ),
  })

  return {
    start(request, { answer, passOn, drop, passOnAfterMs, caller }) {
      const { id, params, clientInfo } = request
      if (running.has(id) || passedOn.has(id)) return false
      let timer: NodeJS.Timeout | undefined
      /** Returns false if the call was cancelled or passed on. */
      const finish = () => {
        clearTimeout(timer)
        return running.get(id)?.call === call && running.delete(id)
      }
      const handOver = () => {
        if (!finish()) return
        passedOn.set(id, call)
        passOn()
      }
      const call = startCall({
        run: (options) =>
          runCall(params, { ...options, ...clientOptions() }, { caller, clientInfo }),
        wantsProgress: (params._meta as JsonObject | undefined)?.progressToken !== undefined,
        onNotification: handOver,
      })
      running.set(id, { call, answer, ...(drop && { drop }) })
      if (passOnAfterMs !== undefined) timer = setTimeout(handOver, passOnAfterMs).unref()
      call.outcome.then((result) => {
        const message = plainAnswer(request, result, serverInfo)
        if (!message) handOver()
        else if (finish()) answer(message)
      }, handOver)
      return true
    },
    cancel(id) {
      const entry = running.get(id)
      running.delete(id)
      entry?.call.cancel()
      entry?.drop?.()
      return entry !== undefined
    },
    takeOver(id) {
      const call = passedOn.get(id)
      passedOn.delete(id)
      return call
    },
    close() {
      for (const [id, { call, answer }] of running) {
        running.delete(id)
        call.cancel()
        answer({ jsonrpc: '2.0', id, error: CLOSED })
      }
      for (const { cancel } of passedOn.values()) cancel()
      passedOn.clear()
    },
  }
}

interface StartCallOptions {
  readonly run: (options: RequestOptions) => Promise<CallResult>
  readonly wantsProgress: boolean
  /** The call has a notification, which is queued until somebody continues the call. */
  readonly onNotification: () => void
}

/** Starts a call of a client that cannot answer server requests. */
function startCall({ run, wantsProgress, onNotification }: StartCallOptions): StartedCall {
  const { signal, cancel } = createCancellation()
  let caller: RequestOptions | undefined
  const queued: ((to: RequestOptions) => void)[] = []

  function notify(send: (to: RequestOptions) => void): void {
    if (caller) {
      send(caller)
      return
    }
    queued.push(send)
    // In a microtask: a server may notify synchronously, before `start` has registered the call.
    queueMicrotask(onNotification)
  }

  const outcome = run({
    signal,
    onServerRequest: decline,
    onNotification: (...notification) => notify((to) => to.onNotification?.(...notification)),
    ...(wantsProgress && { onProgress: (progress) => notify((to) => to.onProgress?.(progress)) }),
  })
  return {
    outcome,
    continueWith(next) {
      caller = next
      for (const send of queued.splice(0)) send(next)
      if (next.signal?.aborted) cancel()
      next.signal?.addEventListener('abort', cancel, { once: true })
      return outcome
    },
    cancel,
  }
}
