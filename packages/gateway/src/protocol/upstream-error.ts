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

/** The error that a server returned, unchanged. */
export interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface UpstreamErrorOptions extends ErrorOptions {
  readonly answer?: ErrorAnswer
  /** The server cannot have received the request, so it is safe to send it again. */
  readonly unseen?: boolean
  /** Only this request was rejected; other requests may succeed. */
  readonly narrow?: boolean
}

/** A request to a server failed. Branch on `code`; the message is for people and says what to do. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly code: UpstreamErrorCode
  readonly server: string
  readonly answer: ErrorAnswer | undefined
  readonly unseen: boolean
  readonly narrow: boolean

  constructor(
    code: UpstreamErrorCode,
    server: string,
    message: string,
    { answer, unseen = false, narrow = false, ...options }: UpstreamErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.server = server
    this.answer = answer
    this.unseen = unseen
    this.narrow = narrow
  }
}
