import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject } from '../is-object.ts'
import { transportFailure } from './transport-failure.ts'
import type { JsonObject, RequestOptions } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

export interface PeerOptions {
  /** The server's name, for messages. */
  readonly server: string
  readonly transport: Transport
  /** `call` is the request of ours it belongs to, if that is known. */
  readonly onRequest: (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    call: RequestOptions | undefined,
  ) => Promise<JsonObject>
  readonly onNotification: (
    method: string,
    params: JsonObject,
    call: RequestOptions | undefined,
  ) => void
  /** The connection is gone and every request was rejected. Called once, and not by `close`. */
  readonly onLost: (error: UpstreamError) => void
  /** A sentence on how the other side ended, if that is known. */
  readonly lastWord?: () => string | undefined
}

export interface PeerRequestOptions extends RequestOptions {
  /** HTTP headers of this request alone. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One end of a JSON-RPC conversation. */
export interface Peer {
  /** `timeoutMs` has no default here: a request without it waits as long as the connection lives. */
  request(method: string, params: JsonObject, options?: PeerRequestOptions): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** From now on every message carries these fields in its `_meta`. */
  envelop(meta: JsonObject): void
  /** An answer was skipped for its length. */
  skip(id: number | undefined, bytes: number): void
  /** Ends the conversation as lost. */
  lose(error: UpstreamError): void
  /** Ends the conversation on our side: what is under way is rejected. */
  end(): void
}

interface Pending {
  readonly method: string
  readonly options: PeerRequestOptions
  readonly settle: (error: UpstreamError | undefined, result?: JsonObject) => void
  /** The time a person takes to answer the server is not the server's. */
  readonly hold: () => void
  /** It is the server's turn again, with its whole time. */
  readonly goOn: () => void
}

type Message = JsonObject & { id?: unknown; method?: unknown; params?: JsonObject; error?: unknown }

/**
 * Speaks JSON-RPC over any transport of the SDK, and passes on what it gets as it is.
 *
 * The SDK's own client checks every message against schemas, which takes most of the time of a call,
 * changes what it does not know, and fails a whole list for one bad entry. A gateway needs none of it.
 */
export function createPeer(options: PeerOptions): Peer {
  const { server, transport } = options
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
    if (typeof message.method === 'string') {
      if (message.id === undefined) receiveNotification(message.method, message.params ?? {})
      else void receiveRequest(message.id, message.method, message.params ?? {})
      return
    }
    const request = pending.get(message.id as number)
    if (!request) return
    if (message.error !== undefined) request.settle(refusedError(request.method, message.error))
    else if (isObject(message.result)) request.settle(undefined, message.result)
    else
      request.settle(
        new UpstreamError(
          'protocol',
          server,
          `${server} answered ${request.method} with neither a result nor an error.`,
        ),
      )
  }

  function receiveNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      pending.get(params.progressToken as number)?.options.onProgress?.(params)
    } else if (method === 'notifications/cancelled') {
      answering.get(params.requestId)?.abort()
    } else {
      options.onNotification(method, params, callInFlight()?.options)
    }
  }

  async function receiveRequest(id: unknown, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    answering.set(id, controller)
    const call = callInFlight()
    call?.hold()
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
      call?.goOn()
    }
    if (!controller.signal.aborted && !over) await send(reply).catch(() => {})
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
    const enveloped = envelope ? { ...params, _meta: { ...envelope, ...meta(params) } } : params
    return send({ jsonrpc: '2.0', method, params: enveloped })
  }

  function request(
    method: string,
    params: JsonObject,
    call: PeerRequestOptions = {},
  ): Promise<JsonObject> {
    const { signal, timeoutMs, headers } = call
    if (over)
      return Promise.reject(new UpstreamError(over.code, server, over.message, { unseen: true }))
    if (signal?.aborted) return Promise.reject(cancelledError(method))

    return new Promise((resolve, reject) => {
      const id = nextId++
      const perRequest = transport.hasPerRequestStream ? new AbortController() : undefined
      let timer: NodeJS.Timeout | undefined
      let questions = 0
      const goOn = () => {
        questions = Math.max(0, questions - 1)
        if (timeoutMs === undefined || questions > 0 || !pending.has(id)) return
        timer = setTimeout(() => giveUp(timeoutError(method, timeoutMs)), timeoutMs)
      }
      const hold = () => {
        questions++
        clearTimeout(timer)
      }
      const onAbort = () => giveUp(cancelledError(method))
      signal?.addEventListener('abort', onAbort, { once: true })

      const settle: Pending['settle'] = (error, result) => {
        if (!pending.delete(id)) return
        clearTimeout(timer)
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

      pending.set(id, { method, options: call, settle, hold, goOn })
      goOn()
      const message = {
        jsonrpc: '2.0',
        id,
        method,
        params: withMeta(params, id, call),
      }
      const fail = (error: unknown) => {
        const failure = transportFailure(server, error, transport.sessionId !== undefined)
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

  function withMeta(params: JsonObject, id: number, call: PeerRequestOptions): JsonObject {
    const given = meta(params)
    const wantsProgress = call.onProgress !== undefined
    if (!envelope && !given && !wantsProgress) return params
    // a token of the caller's means nothing on this connection
    const { progressToken: _, ...rest } = given ?? {}
    return {
      ...params,
      _meta: {
        ...envelope,
        ...(envelope && call.envelope),
        ...rest,
        ...(wantsProgress && { progressToken: id }),
      },
    }
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
    const how = options.lastWord?.() ?? 'closed the connection'
    return new UpstreamError(
      'died',
      server,
      `${server} ${how} before it answered. It is started again by itself; repeat the call if that does no harm.`,
    )
  }

  function refusedError(method: string, error: unknown): UpstreamError {
    const { code, message, data } = (isObject(error) ? error : {}) as JsonObject
    const answer = {
      code: typeof code === 'number' ? code : -32603,
      message: String(message),
      ...(data !== undefined && { data }),
    }
    return new UpstreamError(
      'refused',
      server,
      `${server} answered ${method} with an error: ${answer.message}`,
      { answer },
    )
  }

  function cancelledError(method: string): UpstreamError {
    return new UpstreamError('cancelled', server, `${method} to ${server} was cancelled.`)
  }

  function timeoutError(method: string, ms: number): UpstreamError {
    return new UpstreamError(
      'timeout',
      server,
      `${server} did not answer ${method} within ${ms} ms. Raise its "callMs" if it needs longer.`,
    )
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
      const size = `${Math.round(bytes / 1024 / 1024)} MB`
      request?.settle(
        new UpstreamError(
          'too-large',
          server,
          `${server} answered ${request.method} with ${size}, which is more than a message may have. Ask for less.`,
        ),
      )
    },
    lose,
    end() {
      over ??= new UpstreamError('closed', server, `The connection to ${server} was closed.`)
      rejectAll(over)
    },
  }
}

function meta(params: JsonObject): JsonObject | undefined {
  return isObject(params._meta) ? params._meta : undefined
}
