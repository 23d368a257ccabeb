/** The WWW-Authenticate challenge of a server that rejected a request. */
export interface Challenge {
  readonly scope?: string
  readonly resourceMetadataUrl?: URL
}

/**
 * Provides the access token of one server without ever waiting for a person.
 *
 * When several requests are rejected at once, the token is renewed only once: `rejected` is the token
 * that a request was sent with, and nothing happens if it is no longer the current one.
 */
export interface TokenSource {
  token(): Promise<string | undefined>
  /** Replaces a token that is no longer valid. Rejects with SignInNeededError if only a person can. */
  renew(rejected: string | undefined, challenge: Challenge): Promise<void>
  /** Gets a token with more scopes. Resolves with false if only a person can. */
  widen(rejected: string | undefined, challenge: Challenge): Promise<boolean>
  /** Reads what other processes have stored. Resolves with whether the token has changed. */
  refresh(): Promise<boolean>
}
