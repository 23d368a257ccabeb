import { SignInNeededError } from './sign-in-error.ts'

/**
 * What it means that the SDK could not get a token: an answer that says no is for a person, `refused`
 * in words; anything else passes by itself.
 */
export function renewalFailure(error: unknown, refused: (why: string) => string): Error {
  if (error instanceof SignInNeededError) return error
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown }
  if (name === 'OAuthError' && code !== 'server_error') {
    return new SignInNeededError(refused(String(code)))
  }
  if (/MismatchError$/.test(String(name))) {
    return new SignInNeededError(refused('it names another authorization server'))
  }
  // without its cause: a server that cannot be reached is not the one that was called
  return new Error(`its sign-in could not be renewed: ${message}`)
}
