import type {
  CryptoKey,
  FlattenedJWSInput,
  JSONWebKeySet,
  JWSHeaderParameters,
  JWTVerifyGetKey,
} from 'jose'
import { fetchJson } from './fetch-json.ts'
import { ProviderUnavailableError } from './provider-unavailable-error.ts'

type Jose = typeof import('jose')
type FindKey = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>

export interface SigningKeysOptions {
  /** Where the keys are published. Rejects with `ProviderUnavailableError`. */
  readonly url: () => Promise<string>
  /** Keys are fetched again after this time, in the background. @default 10 minutes */
  readonly maxAgeMs?: number
  /** Known keys stay in use for this long while the provider cannot be reached. @default 6 hours */
  readonly maxStaleMs?: number
  /** Shortest time between two requests for an unknown key. @default 10 seconds */
  readonly cooldownMs?: number
  readonly now?: () => number
}

const RETRY_MS = 5_000

/**
 * The public keys of an issuer. Unknown key ids trigger a request, so that new keys work at once, but
 * not more often than `cooldownMs`: anyone can send tokens with invented key ids.
 *
 * The returned function rejects with `ProviderUnavailableError` if it cannot know whether a key exists.
 */
export function createSigningKeys(
  { createLocalJWKSet, errors }: Jose,
  {
    url,
    maxAgeMs = 600_000,
    maxStaleMs = 6 * 3_600_000,
    cooldownMs = 10_000,
    now = Date.now,
  }: SigningKeysOptions,
): JWTVerifyGetKey {
  let find: FindKey | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  let attemptedAt = Number.NEGATIVE_INFINITY
  let failure: ProviderUnavailableError | undefined
  let fetching: Promise<void> | undefined

  async function fetchKeys(): Promise<void> {
    attemptedAt = now()
    try {
      const address = await url()
      const { status, body } = await fetchJson(address)
      if (status !== 200) throw new ProviderUnavailableError(`${address} answers with ${status}.`)
      find = createLocalJWKSet(body as JSONWebKeySet)
      fetchedAt = now()
      failure = undefined
    } catch (error) {
      failure =
        error instanceof ProviderUnavailableError
          ? error
          : new ProviderUnavailableError('The keys of the issuer are invalid.', { cause: error })
    } finally {
      fetching = undefined
    }
  }

  const refresh = () => {
    fetching ??= fetchKeys()
    return fetching
  }

  return async (header, token) => {
    const age = now() - fetchedAt
    const sinceAttempt = now() - attemptedAt
    if (age > maxStaleMs) {
      find = undefined
      if (fetching || sinceAttempt > RETRY_MS) await refresh()
    } else if (age > maxAgeMs && sinceAttempt > RETRY_MS) void refresh()
    const known: FindKey | undefined = find
    if (!known) throw failure ?? new ProviderUnavailableError('The keys of the issuer are unknown.')
    try {
      return await known(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (fetching || now() - attemptedAt > cooldownMs) {
        await refresh()
        if (find && find !== known) return find(header, token)
      }
      // The key may be one that was added while the provider could not be reached.
      throw failure ?? error
    }
  }
}
