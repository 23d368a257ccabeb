/**
 * - `token`: none was given, or the wrong one
 * - `unreachable`: nobody answered
 * - `refused`: the gateway said no, and why
 */
export type FailureCode = 'token' | 'unreachable' | 'refused'

/** A question to the gateway that was not answered. The message is for the person who looks. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What to say of anything that was thrown. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
