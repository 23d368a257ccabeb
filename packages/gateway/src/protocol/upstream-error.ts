/**
 * - `timeout`: no answer in time; the request was cancelled
 * - `died`: the connection ended while the request was in flight
 * - `not-started`: the server could not be reached or started
 * - `refused`: the server answered with an error, which is in `answer`
 * - `cancelled`: the caller cancelled the request
 * - `too-large`: the answer exceeds the maximum message size
 * - `protocol`: the server violated the protocol
 * - `needs-sign-in`: the server rejects our credentials
 * - `closed`: the gateway closed the connection
 */
export type UpstreamErrorCode =
  | 'timeout'
  | 'died'
  | 'not-started'
  | 'refused'
  | 'cancelled'
  | 'too-large'
  | 'protocol'
  | 'needs-sign-in'
  | 'closed'

/** The JSON-RPC error that a server returned, unchanged. */
export interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface UpstreamErrorOptions extends ErrorOptions {
  readonly answer?: ErrorAnswer
  /** The server cannot have received the request, so it is safe to send it again. */
  readonly undelivered?: boolean
  /** The server rejected only this request; others may succeed. */
  readonly requestOnly?: boolean
}

/** A request to a server failed. Branch on `code`; the message tells people what to do. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly code: UpstreamErrorCode
  readonly server: string
  readonly answer: ErrorAnswer | undefined
  readonly undelivered: boolean
  readonly requestOnly: boolean

  constructor(
    code: UpstreamErrorCode,
    server: string,
    message: string,
    { answer, undelivered = false, requestOnly = false, ...options }: UpstreamErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.server = server
    this.answer = answer
    this.undelivered = undelivered
    this.requestOnly = requestOnly
  }
}
