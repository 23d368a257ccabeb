import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type CallClock, createCallClock } from './call-clock.ts'
import { isTooDeep, TOO_DEEP } from './is-too-deep.ts'
import type { JsonObject } from './json-object.ts'
import { isObject } from './json-object.ts'
import type { Peer, PeerOptions, PeerRequestOptions } from './peer.ts'
import { requestErrors } from './request-errors.ts'
import { UpstreamError } from './upstream-error.ts'
import { withMeta } from './with-meta.ts'

interface Pending {
  readonly method: string
  readonly options: PeerRequestOptions
  readonly settle: (error: UpstreamError | undefined, result?: JsonObject) => void
  readonly clock: CallClock
}

type Message = JsonObject & { id?: unknown; method?: unknown; params?: JsonObject; error?: unknown }

/** Where a notification names the request by which it was asked for (2026-07-28). */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

/**
 * Speaks JSON-RPC over any transport of the SDK, and passes on what it gets as it is.
 *
 * The SDK's own client checks every message against schemas, which takes most of the time of a call,
 * changes what it does not know, and fails a whole list for one bad entry. A gateway needs none of it.
 */
export function createPeer(options: PeerOptions): Peer {
  const { server, transport } = options
  const errors = requestErrors(server)
  const pending = new Map<number, Pending>()
  const answering = new Map<unknown, AbortController>()
  // over HTTP a message comes in the stream of the request it belongs to
  const stream = new AsyncLocalStorage<number>()
  let nextId = 0
  let envelope: JsonObject | undefined
  let over: UpstreamError | undefined

  transport.onmessage = (message: JSONRPCMessage) => receive(message as unknown as Message)
  transport.onclose = () => lose(diedError())

  function receive(message: Message): void {
    if (isTooDeep(message) && !isOwnList(message)) refuse(message)
    else if (typeof message.method !== 'string') receiveAnswer(message)
    else if (message.id === undefined) receiveNotification(message.method, message.params ?? {})
    else void receiveRequest(message.id, message.method, message.params ?? {})
  }

  // lists are judged entry by entry: a bad one must not hide the others
  function isOwnList({ method, id }: Message): boolean {
    const request = method === undefined ? pending.get(id as number) : undefined
    return request?.options.own === true && request.method.endsWith('/list')
  }

  function refuse({ method, id }: Message): void {
    if (method === undefined) {
      const request = pending.get(id as number)
      request?.settle(errors.tooDeep(request.method))
    } else if (id !== undefined) {
      void send({ jsonrpc: '2.0', id, error: TOO_DEEP }).catch(() => {})
    }
  }

  function receiveAnswer(message: Message): void {
    const request = pending.get(message.id as number)
    if (!request) return
    // there are servers that write both fields
    if (message.error !== undefined && message.error !== null) {
      request.settle(errors.refused(request.method, message.error))
    } else if (isObject(message.result)) request.settle(undefined, message.result)
    else request.settle(errors.neither(request.method))
  }

  function receiveNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      const request = pending.get(params.progressToken as number)
      request?.clock.renew()
      request?.options.onProgress?.(params)
    } else if (method === 'notifications/cancelled') {
      answering.get(params.requestId)?.abort()
    } else {
      const call = subscription(params) ?? callInFlight()
      options.onNotification(method, params, call?.options)
    }
  }

  async function receiveRequest(id: unknown, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    answering.set(id, controller)
    // who only looks whether we are there asks nothing that a call has to wait for
    const call = method === 'ping' ? undefined : callInFlight()
    call?.clock.hold()
    let reply: JsonObject
    try {
      const result =
        method === 'ping'
          ? {}
          : await options.onRequest(method, params, controller.signal, call?.options)
      reply = { jsonrpc: '2.0', id, result }
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown }
      const answer = { code: typeof code === 'number' ? code : -32603, message: String(message) }
      reply = { jsonrpc: '2.0', id, error: answer }
    } finally {
      answering.delete(id)
      call?.clock.goOn()
    }
    if (!controller.signal.aborted && !over) await send(reply).catch(() => {})
  }

  function subscription({ _meta }: JsonObject): Pending | undefined {
    return isObject(_meta) ? pending.get(_meta[SUBSCRIPTION] as number) : undefined
  }

  function callInFlight(): Pending | undefined {
    const inStream = stream.getStore()
    if (inStream !== undefined) return pending.get(inStream)
    let last: Pending | undefined
    for (const call of pending.values()) {
      if (call.options.own) continue
      // one of several: to guess would ask one person what another's call needs
      if (last && (!last.options.party || last.options.party !== call.options.party)) {
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
    if (over)
      return Promise.reject(new UpstreamError(over.code, server, over.message, { unseen: true }))
    if (signal?.aborted) return Promise.reject(errors.cancelled(method))

    return new Promise((resolve, reject) => {
      const id = nextId++
      const perRequest = transport.hasPerRequestStream ? new AbortController() : undefined
      const onAbort = () => giveUp(errors.cancelled(method))
      signal?.addEventListener('abort', onAbort, { once: true })

      const settle: Pending['settle'] = (error, result) => {
        if (!pending.delete(id)) return
        clock.stop()
        signal?.removeEventListener('abort', onAbort)
        if (error) reject(error)
        else resolve(result!)
      }

      function giveUp(error: UpstreamError): void {
        settle(error)
        const { message: reason } = error
        // the newer era cancels over HTTP by the end of the stream alone
        const told =
          perRequest && envelope
            ? Promise.resolve()
            : notify('notifications/cancelled', { requestId: id, reason }).catch(() => {})
        void told.then(() => perRequest?.abort())
      }

      const clock = createCallClock(timeoutMs, (ms) => giveUp(errors.late(method, ms)))
      pending.set(id, { method, options: call, settle, clock })
      const message = {
        jsonrpc: '2.0',
        id,
        method,
        params: withMeta(params, {
          envelope,
          own: call.envelope,
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
      const onRequestStreamEnd = () => settle(diedError())
      const extra = {
        requestSignal: perRequest.signal,
        onRequestStreamEnd,
        ...(headers && { headers }),
      }
      stream.run(id, () => send(message, extra).catch(fail))
    })
  }

  function lose(error: UpstreamError): void {
    if (over) return
    over = error
    rejectAll(error)
    options.onLost(error)
  }

  function rejectAll(error: UpstreamError): void {
    for (const { settle } of [...pending.values()]) settle(error)
    for (const controller of answering.values()) controller.abort()
  }

  function diedError(): UpstreamError {
    return errors.died(options.lastWord?.())
  }

  return {
    request,
    notify,
    envelop(fields) {
      envelope = fields
    },
    skip(id, bytes) {
      const calls = [...pending.values()].filter((each) => !each.options.own)
      // of an answer whose id cannot be read it is known whose it is only if one was awaited
      const request = id !== undefined ? pending.get(id) : calls.length === 1 ? calls[0] : undefined
      request?.settle(errors.tooLarge(request.method, bytes))
    },
    lose,
    end() {
      over ??= new UpstreamError('closed', server, `The connection to ${server} was closed.`)
      rejectAll(over)
    },
  }
}
