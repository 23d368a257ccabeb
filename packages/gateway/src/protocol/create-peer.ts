import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type CallTimeout, createCallTimeout } from './call-timeout.ts'
import { runsUntil } from './cancellation.ts'
import { checkSize } from './check-size.ts'
import { isTooDeep, TOO_DEEP } from './is-too-deep.ts'
import type { JsonObject } from './json-object.ts'
import { isObject, textOf } from './json-object.ts'
import type { Peer, PeerOptions, PeerRequestOptions } from './peer.ts'
import { requestErrors } from './request-errors.ts'
import { UpstreamError } from './upstream-error.ts'
import { withMeta } from './with-meta.ts'

interface Pending {
  readonly method: string
  readonly options: PeerRequestOptions
  readonly settle: (error: UpstreamError | undefined, result?: JsonObject) => void
  readonly timeout: CallTimeout
  /** Ends the stream of the request, if it has its own. */
  readonly abort: () => void
}

type Message = JsonObject & { id?: unknown; method?: unknown; params?: JsonObject; error?: unknown }

/** The `_meta` key in which a notification names the request that subscribed to it (2026-07-28). */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

/** Passing one on takes a client's connection about 0.1 ms. */
const MAX_MESSAGES_PER_SECOND = 300

/** Of a notification. Secrets are masked in it, and each client gets a copy. */
const MAX_SIZE = 256_000

/** Of requests of the server that are not answered yet. */
const MAX_UNANSWERED = 100
const MAX_ID_LENGTH = 1_000

/** How long a server may go on with a cancelled request without an answer before it counts as stopped. */
const MAX_STOPPING_MS = 5_000

function isId(id: unknown): id is string | number {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_LENGTH)
}

/** Whether a notification must not be lost, because nothing repeats what it says. */
function isChange(method: string): boolean {
  return /^notifications\/(subscriptions|tasks|.*\/list_changed$)/.test(method)
}

/**
 * The request whose HTTP stream a message arrives in. One storage for all peers: Node 20 never forgets a
 * storage, and each one slows down every promise of the process.
 */
const stream = new AsyncLocalStorage<{ pending: ReadonlyMap<number, Pending>; id: number }>()

/**
 * Speaks JSON-RPC over any transport of the SDK, and returns results unchanged.
 *
 * Replaces the SDK's client, which validates every message. Validation takes most of the time of a call,
 * drops unknown fields, and rejects a whole list because of one invalid entry.
 */
export function createPeer(options: PeerOptions): Peer {
  const { server, transport } = options
  const errors = requestErrors(server)
  const pending = new Map<number, Pending>()
  const answering = new Map<unknown, AbortController>()
  /** Cancelled requests that the server may still be executing. */
  const stopping = new Map<unknown, () => void>()
  let unanswered = 0
  let current = { second: 0, messages: 0 }
  let nextId = 0
  let envelope: JsonObject | undefined
  let endError: UpstreamError | undefined

  transport.onmessage = (message: JSONRPCMessage) => {
    try {
      receive(message as unknown as Message)
    } catch {
      // Whatever a server sends, it must not end this process. A call that it should answer times out.
    }
  }
  transport.onclose = () => lose(closedError())

  function receive(message: Message): void {
    if (isTooDeep(message) && !isOwnList(message)) rejectDeep(message)
    else if (typeof message.method !== 'string') receiveAnswer(message)
    else {
      const { id, method } = message
      const params = isObject(message.params) ? message.params : {}
      if (id === undefined) receiveNotification(method, params)
      else if (isId(id)) receiveRequest(id, method, params).catch(() => {})
    }
  }

  // the caller checks the entries of a list one by one, so that a bad entry does not hide the others
  function isOwnList({ method, id }: Message): boolean {
    const request = method === undefined ? pending.get(id as number) : undefined
    return request?.options.own === true && request.method.endsWith('/list')
  }

  function rejectDeep({ method, id }: Message): void {
    if (method === undefined) {
      const request = pending.get(id as number)
      request?.settle(errors.tooDeep(request.method))
    } else if (id !== undefined) {
      void send({ jsonrpc: '2.0', id, error: TOO_DEEP }).catch(() => {})
    }
  }

  function receiveAnswer(message: Message): void {
    stopping.get(message.id)?.()
    const request = pending.get(message.id as number)
    if (!request) return
    // some servers send a result together with a null error
    if (message.error !== undefined && message.error !== null) {
      request.settle(errors.refused(request.method, message.error))
    } else if (isObject(message.result)) request.settle(undefined, message.result)
    else request.settle(errors.invalidAnswer(request.method))
  }

  function receiveNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      const request = pending.get(params.progressToken as number)
      request?.timeout.renew()
      if (mayPassOn(params)) request?.options.onProgress?.(params)
    } else if (method === 'notifications/cancelled') {
      answering.get(params.requestId)?.abort()
    } else if (isChange(method) || mayPassOn(params)) {
      const call = subscription(params) ?? callInFlight()
      options.onNotification(method, params, call?.options)
    }
  }

  /** Whether it is small enough, and there were not too many notifications and requests within a second. */
  function mayPassOn(params: JsonObject = {}): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== current.second) current = { second, messages: 0 }
    return current.messages++ < MAX_MESSAGES_PER_SECOND && 'size' in checkSize(params, MAX_SIZE)
  }

  async function receiveRequest(
    id: string | number,
    method: string,
    params: JsonObject,
  ): Promise<void> {
    // An answer would have to be kept until the server takes it.
    if (unanswered >= MAX_UNANSWERED || !mayPassOn()) return
    unanswered++
    const controller = new AbortController()
    answering.set(id, controller)
    // a ping must not pause the timeout of a call
    const call = method === 'ping' ? undefined : callInFlight()
    call?.timeout.pause()
    let reply: JsonObject
    try {
      const result =
        method === 'ping'
          ? {}
          : await options.onRequest(method, params, controller.signal, call?.options)
      reply = { jsonrpc: '2.0', id, result }
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown }
      const answer = { code: typeof code === 'number' ? code : -32603, message: textOf(message) }
      reply = { jsonrpc: '2.0', id, error: answer }
    } finally {
      answering.delete(id)
      call?.timeout.resume()
    }
    if (!controller.signal.aborted && !endError) await send(reply).catch(() => {})
    unanswered--
  }

  function subscription({ _meta }: JsonObject): Pending | undefined {
    return isObject(_meta) ? pending.get(_meta[SUBSCRIPTION] as number) : undefined
  }

  function callInFlight(): Pending | undefined {
    const inStream = stream.getStore()
    if (inStream?.pending === pending) return pending.get(inStream.id)
    let last: Pending | undefined
    for (const call of pending.values()) {
      if (call.options.own) continue
      // the message may belong to any of several clients: do not guess
      if (
        last &&
        (!last.options.clientConnection ||
          last.options.clientConnection !== call.options.clientConnection)
      ) {
        return undefined
      }
      last = call
    }
    return last
  }

  function send(message: JsonObject, extra?: Parameters<Transport['send']>[1]): Promise<void> {
    return transport.send(message as unknown as JSONRPCMessage, extra)
  }

  function notify(method: string, params: JsonObject = {}): Promise<void> {
    return send({ jsonrpc: '2.0', method, params: withMeta(params, { envelope }) })
  }

  function request(
    method: string,
    params: JsonObject,
    call: PeerRequestOptions = {},
  ): Promise<JsonObject> {
    const { signal, timeoutMs, headers } = call
    if (endError) {
      const { code, message } = endError
      return Promise.reject(new UpstreamError(code, server, message, { undelivered: true }))
    }
    if (signal?.aborted) return Promise.reject(errors.cancelled(method))

    return new Promise((resolve, reject) => {
      const id = nextId++
      const perRequest = transport.hasPerRequestStream ? new AbortController() : undefined
      const onAbort = () => {
        giveUp(errors.cancelled(method))
        // The server of an HTTP request notices that its stream is closed.
        if (!perRequest) runsUntil(signal!, stopped(id))
      }
      signal?.addEventListener('abort', onAbort, { once: true })

      const settle: Pending['settle'] = (error, result) => {
        if (!pending.delete(id)) return
        timeout.stop()
        signal?.removeEventListener('abort', onAbort)
        if (error) reject(error)
        else resolve(result!)
      }

      function giveUp(error: UpstreamError): void {
        settle(error)
        const { message: reason } = error
        // over HTTP, modern clients cancel a request by closing its stream
        const notified =
          perRequest && envelope
            ? Promise.resolve()
            : notify('notifications/cancelled', { requestId: id, reason }).catch(() => {})
        void notified.then(() => perRequest?.abort())
      }

      const timeout = createCallTimeout(timeoutMs, (ms) => giveUp(errors.timeout(method, ms)))
      const abort = () => perRequest?.abort()
      pending.set(id, { method, options: call, settle, timeout, abort })
      const message = {
        jsonrpc: '2.0',
        id,
        method,
        params: withMeta(params, {
          envelope,
          overrides: call.envelope,
          progressToken: call.onProgress && id,
        }),
      }
      const fail = (error: unknown) => {
        const failure = options.toUpstreamError(error, transport.sessionId !== undefined)
        settle(failure)
        if (failure.code === 'died' && !perRequest?.signal.aborted) lose(failure)
      }
      if (!perRequest) {
        send(message).catch(fail)
        return
      }
      const onRequestStreamEnd = () => settle(closedError())
      const extra = {
        requestSignal: perRequest.signal,
        onRequestStreamEnd,
        ...(headers && { headers }),
      }
      stream.run({ pending, id }, () => send(message, extra).catch(fail))
    })
  }

  function lose(error: UpstreamError): void {
    if (endError) return
    endError = error
    rejectAll(error)
    options.onLost(error)
  }

  function stopped(id: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(stop, MAX_STOPPING_MS)
      timer.unref()
      stopping.set(id, stop)
      function stop(): void {
        clearTimeout(timer)
        stopping.delete(id)
        resolve()
      }
    })
  }

  function rejectAll(error: UpstreamError): void {
    for (const stop of [...stopping.values()]) stop()
    for (const { settle } of [...pending.values()]) settle(error)
    for (const controller of answering.values()) controller.abort()
  }

  function closedError(): UpstreamError {
    return errors.died(options.exitReason?.())
  }

  return {
    request,
    notify,
    setEnvelope(fields) {
      envelope = fields
    },
    rejectTooLarge(id, bytes) {
      const calls = [...pending.values()].filter((each) => !each.options.own)
      // without a readable id, the answer can be matched only if a single call is pending
      const request = id !== undefined ? pending.get(id) : calls.length === 1 ? calls[0] : undefined
      request?.settle(errors.tooLarge(request.method, bytes))
      request?.abort()
    },
    lose,
    end() {
      endError ??= new UpstreamError('closed', server, `The connection to ${server} was closed.`)
      rejectAll(endError)
    },
  }
}
