import type { CancelSignal } from './cancellation.ts'
import type { JsonObject } from './json-object.ts'
import type { AnswerServerRequest } from './server-request.ts'

/** Options for a request to a server. */
export interface RequestOptions {
  /** Aborting it cancels the request on the server. */
  readonly signal?: CancelSignal
  /** Receives the params of each progress notification. */
  readonly onProgress?: (progress: JsonObject) => void
  /** @default the server's `callMs` */
  readonly timeoutMs?: number
  /** Answers requests that the server sends while it handles this one. */
  readonly onServerRequest?: AnswerServerRequest
  /** Receives notifications, such as log messages, that belong to this request. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /**
   * The connection of the client that sends the request. While several requests are in flight, a
   * request from the server cannot be matched to one of them; it is forwarded only if they all come
   * from the same connection.
   */
  readonly clientConnection?: object
  /** Whether the gateway itself sends the request. Server requests then never belong to it. */
  readonly own?: boolean
  /** `_meta` fields that describe the client. Modern servers expect them with each request. */
  readonly envelope?: JsonObject
}
