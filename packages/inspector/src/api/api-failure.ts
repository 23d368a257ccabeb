/**
 * - `token`: the token is missing or wrong
 * - `sign-in`: the person is not signed in
 * - `unreachable`: the gateway did not answer
 * - `refused`: the gateway rejected the request; the message says why
 */
export type FailureCode = 'token' | 'sign-in' | 'unreachable' | 'refused'

/** A failed request to the gateway. The message is shown to the person. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The message of anything that was thrown. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether a request failed because the gateway does not know who sent it. */
export function isLocking(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && (error.code === 'token' || error.code === 'sign-in')
}
