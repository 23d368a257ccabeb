/** The server cannot be used until a person acts. Branch on `code`; the message says what to do. */
export class SignInNeededError extends Error {
  override readonly name = 'SignInNeededError'
  readonly code = 'needs-sign-in'
}

/** A sign-in was not completed. The message says why and what to do. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError'
  readonly code = 'sign-in-failed'
}

/**
 * Describes why an interactive sign-in failed. Text from the authorization server is shown without
 * control characters; text from a possible impostor is not shown at all.
 */
export function signInFailure(server: string, error: unknown): SignInFailedError {
  if (error instanceof SignInFailedError) return error
  return new SignInFailedError(describe(server, error as Record<string, unknown>), { cause: error })
}

function describe(server: string, { name, code, message, body }: Record<string, unknown>): string {
  switch (name) {
    case 'RegistrationRejectedError':
      return `The authorization server of ${server} rejected the registration of the gateway (${printable(body)}). ${REGISTER_MANUALLY}`
    case 'IssuerMismatchError':
    case 'AuthorizationServerMismatchError':
      return `The response did not come from the authorization server that ${server} or its "oauth" settings specify. No credentials were sent. Do not sign in until you know why.`
    case 'InsecureTokenEndpointError':
      return `The authorization server of ${server} does not use HTTPS. No credentials were sent.`
    case 'OAuthError':
      if (code === 'access_denied') return `The sign-in to ${server} was declined.`
      return `The authorization server of ${server} returned an error (${printable(code)}: ${printable(message)}).`
    case 'TimeoutError':
      return `The authorization server of ${server} did not answer in time.`
  }
  if (/dynamic client registration|saveable/.test(String(message))) {
    return `The authorization server of ${server} does not support client registration. ${REGISTER_MANUALLY}`
  }
  return `The sign-in to ${server} failed: ${printable(message)}`
}

const REGISTER_MANUALLY =
  'Register a client manually and add "oauth": { "clientId": "…" } to the configuration.'

function printable(text: unknown): string {
  return String(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, 300)
}

/**
 * Describes why the SDK could not renew a token. After a rejection, a person must sign in again; any
 * other error is temporary.
 *
 * @param rejected the message for a rejection, given its reason
 */
export function renewalFailure(error: unknown, rejected: (why: string) => string): Error {
  if (error instanceof SignInNeededError) return error
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown }
  if (name === 'OAuthError' && code !== 'server_error') {
    return new SignInNeededError(rejected(String(code)))
  }
  if (/MismatchError$/.test(String(name))) {
    return new SignInNeededError(rejected('the server now uses a different authorization server'))
  }
  // omit the cause: its network error would look like an error of the MCP server
  return new Error(`the token could not be renewed: ${message}`)
}
