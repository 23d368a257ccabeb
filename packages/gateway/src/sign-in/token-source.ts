import type { DpopSession } from '@modelcontextprotocol/client'

/** The WWW-Authenticate challenge of a server that rejected a request. */
export interface Challenge {
  readonly scope?: string
  readonly resourceMetadataUrl?: URL
  /** Whether the server asks for tokens that are bound to a key (RFC 9449). */
  readonly dpop?: boolean
}

/**
 * Provides the access token of one server without ever waiting for a person.
 *
 * When the server rejects several requests at once, the token is renewed only once: `rejected` is the
 * token of the rejected request, and nothing happens if it is no longer the current token.
 */
export interface TokenSource {
  token(): Promise<string | undefined>
  /** Signs requests if the current token is bound to a key. */
  dpop?(): Promise<DpopSession | undefined>
  /** Replaces an invalid token. Rejects with SignInNeededError if a person must sign in again. */
  renew(rejected: string | undefined, challenge: Challenge): Promise<void>
  /** Gets a token with additional scopes. Resolves with false if a person must sign in again. */
  extendScope(rejected: string | undefined, challenge: Challenge): Promise<boolean>
  /** Reads the token that another process may have stored. Resolves with whether it has changed. */
  reload(): Promise<boolean>
}
