import type { Transport } from '@modelcontextprotocol/client'
import type { JsonObject } from './json-object.ts'
import type { RequestOptions } from './request-options.ts'
import type { UpstreamError } from './upstream-error.ts'

export interface PeerOptions {
  /** The server's name, for messages. */
  readonly server: string
  readonly transport: Transport
  /** Turns an error of the transport into one that says what to do. */
  readonly toUpstreamError: (error: unknown, inSession: boolean) => UpstreamError
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
