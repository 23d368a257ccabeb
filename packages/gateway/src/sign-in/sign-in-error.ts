/** A server cannot be used before a person does something. Branch on `code`; the message says what. */
export class SignInNeededError extends Error {
  override readonly name = 'SignInNeededError'
  readonly code = 'needs-sign-in'
}

/** A sign-in that was begun did not come to its end. The message says why and what to do. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError'
  readonly code = 'sign-in-failed'
}
