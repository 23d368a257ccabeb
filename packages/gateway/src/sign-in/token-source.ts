/** What a server says when it refuses a request. */
export interface Challenge {
  readonly scope?: string
  readonly resourceMetadataUrl?: URL
}

/**
 * Where the token for a server comes from. Nothing here waits for a person.
 *
 * Requests that are refused at the same time have the token renewed once: `refused` is the one that a
 * request was made with, and nothing is asked for if there is another by now.
 */
export interface TokenSource {
  token(): Promise<string | undefined>
  /** Gets a token for one that is not taken any more. Rejects with SignInNeededError if only a person can. */
  renew(refused: string | undefined, challenge: Challenge): Promise<void>
  /** Gets a token that reaches further. False if only a person can. */
  widen(refused: string | undefined, challenge: Challenge): Promise<boolean>
  /** Looks for what other processes have done. Whether the token is another than before. */
  refresh(): Promise<boolean>
}
