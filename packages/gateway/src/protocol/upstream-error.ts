/**
 * - `timeout`: no answer within the limit; a cancellation was sent
 * - `died`: the connection ended while the request was under way
 * - `not-started`: the server could not be reached or started
 * - `refused`: the server answered with an error, kept in `answer`
 * - `cancelled`: the caller gave up
 * - `too-large`: the answer is longer than a message may be
 * - `protocol`: the server said something that is no MCP
 * - `needs-sign-in`: the server refuses what we show
 * - `closed`: the upstream was closed on our side
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

/** The error a server answered with, as it came. */
export interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface UpstreamErrorOptions extends ErrorOptions {
  readonly answer?: ErrorAnswer
  /** The server cannot have seen the request, so sending it again does nothing twice. */
  readonly unseen?: boolean
  /** It is this request that is refused and not the connection: others may go through. */
  readonly narrow?: boolean
}

/** Why a request to a server has no result. Branch on `code`; the message says what to do. */
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
