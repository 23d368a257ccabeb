import type { Transport } from '@modelcontextprotocol/client'
import type { JsonObject } from './json-object.ts'
import type { RequestOptions } from './request-options.ts'
import type { UpstreamError } from './upstream-error.ts'

export interface PeerOptions {
  /** The server's name, for messages. */
  readonly server: string
  readonly transport: Transport
  /** Converts a transport error into an error whose message says what to do. */
  readonly toUpstreamError: (error: unknown, inSession: boolean) => UpstreamError
  /** Answers a request from the server. `call` is our request that caused it, if known. */
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
  /** Called once when the connection is lost and all requests are rejected. Not called by `end`. */
  readonly onLost: (error: UpstreamError) => void
  /** How the process ended, such as `exited with code 1`, if known. */
  readonly exitReason?: () => string | undefined
}

export interface PeerRequestOptions extends RequestOptions {
  /** HTTP headers for this request only. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Our end of a JSON-RPC connection. */
export interface Peer {
  /** Without `timeoutMs`, the request waits until the connection ends. */
  request(method: string, params: JsonObject, options?: PeerRequestOptions): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** Adds these fields to the `_meta` of every message from now on. */
  setEnvelope(meta: JsonObject): void
  /** Rejects the request whose answer exceeds the maximum message size. */
  rejectTooLarge(id: number | undefined, bytes: number): void
  /** Ends the connection because it is broken. */
  lose(error: UpstreamError): void
  /** Ends the connection on our side and rejects all pending requests. */
  end(): void
}
