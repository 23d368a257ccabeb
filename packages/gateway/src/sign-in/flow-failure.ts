import { SignInFailedError } from './sign-in-error.ts'

/**
 * Why a sign-in did not come to its end, in words. What an authorization server says is shown without
 * characters that a terminal would act on; of one that may be an impostor nothing is shown.
 */
export function flowFailure(server: string, error: unknown): SignInFailedError {
  if (error instanceof SignInFailedError) return error
  const { name, code, message, body } = error as Record<string, unknown>
  return new SignInFailedError(words(), { cause: error })

  function words(): string {
    switch (name) {
      case 'RegistrationRejectedError':
        return `The authorization server of ${server} does not take us as a new client (${shown(body)}). ${BY_HAND}`
      case 'IssuerMismatchError':
      case 'AuthorizationServerMismatchError':
        return `The answer did not come from the authorization server that ${server} names, or from another than its "oauth" allows. Nothing was sent there; do not sign in until it is clear why.`
      case 'InsecureTokenEndpointError':
        return `The authorization server of ${server} is not reached by https. Nothing was sent there.`
      case 'OAuthError':
        if (code === 'access_denied') return `The sign-in to ${server} was declined.`
        return `The authorization server of ${server} refuses (${shown(code)}: ${shown(message)}).`
      case 'TimeoutError':
        return `The authorization server of ${server} did not answer in time.`
    }
    if (/dynamic client registration|saveable/.test(String(message))) {
      return `The authorization server of ${server} takes no new clients. ${BY_HAND}`
    }
    return `The sign-in to ${server} failed: ${shown(message)}`
  }
}

const BY_HAND =
  'Register one by hand and write "oauth": { "clientId": "…" } into the configuration.'

function shown(text: unknown): string {
  return String(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, 300)
}
