import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { IdentityConfig, IssuerConfig } from '../config/team-config.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import type { Authentication, RefusedCredential } from './identity.ts'
import { isSameIssuer } from './issuer-metadata.ts'
import { type Person, personId } from './person.ts'
import { personFromClaims } from './person-from-claims.ts'
import { ProviderUnavailableError } from './provider-unavailable-error.ts'
import { forbidden, type Refusals, unavailable } from './refusals.ts'
import { audiencesOf } from './resource-metadata.ts'
import { isIdToken, type TrustedIssuer } from './trusted-issuer.ts'

type Jose = typeof import('jose')

/** Finds out who sends an access token. Answers at once for a token that it has verified before. */
export type TokenCheck = (token: string, path: string) => CheckedToken | Promise<CheckedToken>

/** `jkt` is the thumbprint of the key that a token is bound to, which its sender has to prove. */
export type CheckedToken = Authentication & { readonly jkt?: string }

export interface TokenCheckOptions {
  readonly config: IdentityConfig
  readonly issuers: readonly TrustedIssuer[]
  readonly refusals: Refusals
  /** Reports problems that an administrator has to solve. */
  readonly warn: (message: string) => void
  readonly now?: (() => number) | undefined
}

/** A token whose signature has been checked. */
interface VerifiedToken {
  readonly person: Person
  readonly issuer: IssuerConfig
  readonly scopes: readonly string[]
  readonly audiences: readonly string[]
  readonly jkt?: string
  /** Verify it again after this time: its key may have been withdrawn. */
  readonly until: number
}

const MAX_TOKEN = 16_384
/** In characters of tokens. */
const CACHE_SIZE = 20_000_000
const VERIFY_AGAIN_MS = 300_000

export function createTokenCheck(
  { decodeJwt, errors }: Jose,
  { config, issuers, refusals, warn, now = Date.now }: TokenCheckOptions,
): TokenCheck {
  const verified = createBoundedMap<string, VerifiedToken>(CACHE_SIZE, {
    sizeOf: ({ person }) => person.token?.length ?? 0,
  })

  return (token, path) => {
    if (token.length > MAX_TOKEN) {
      return { refusal: refusals.invalid(path, 'The token is too long.') }
    }
    const key = createHash('sha256').update(token).digest('base64')
    const known = verified.get(key)
    if (known && now() < known.until) return admit(known, path)
    return verify(token, key, path)
  }

  async function verify(token: string, key: string, path: string): Promise<CheckedToken> {
    // Not verified yet: it only selects one of the issuers that are configured.
    const { iss, claimed: sender } = claimsIn(token)
    const invalid = (message: string, cause: RefusedCredential['cause']) => ({
      refusal: { ...refusals.invalid(path, message), credential: { cause, claimed: sender } },
    })
    const issuer = issuers.find(
      ({ config }) => iss !== undefined && isSameIssuer(config.issuer, iss),
    )
    if (!issuer) {
      return invalid(
        iss === undefined
          ? 'The token is neither a JWT nor an API key.'
          : 'The issuer of the token is not trusted.',
        iss === undefined ? 'invalid' : 'issuer',
      )
    }
    let claims: JWTPayload
    try {
      claims = await issuer.verify(token)
    } catch (error) {
      if (error instanceof ProviderUnavailableError) {
        warn(`Tokens of ${issuer.config.issuer} cannot be checked. ${error.message}`)
        return { refusal: unavailable('The token cannot be checked now. Try again later.') }
      }
      if (error instanceof errors.JWTExpired) return invalid('The token has expired.', 'expired')
      const isForged = error instanceof errors.JWSSignatureVerificationFailed
      return invalid('The token is invalid.', isForged ? 'signature' : 'invalid')
    }
    if (isIdToken(claims)) return invalid('This is not an access token.', 'invalid')
    const claimed = personFromClaims(claims, {
      ...issuer.config,
      administrators: config.administrators,
    })
    if ('problem' in claimed) {
      warn(`A token of ${issuer.config.issuer} cannot be used. ${claimed.problem}`)
      return { refusal: forbidden(claimed.problem) }
    }
    const { expiresAt } = claimed.person
    const jkt = (claims.cnf as { jkt?: unknown } | undefined)?.jkt
    if (claims.cnf !== undefined && typeof jkt !== 'string') {
      return invalid('The token is bound in a way that the gateway does not support.', 'proof')
    }
    const found = {
      ...claimed,
      ...(typeof jkt === 'string' && { jkt }),
      person: { ...claimed.person, token },
      issuer: issuer.config,
      until: Math.min(expiresAt + config.clockSkewSeconds * 1_000, now() + VERIFY_AGAIN_MS),
    }
    verified.set(key, found)
    return admit(found, path)
  }

  function claimsIn(token: string): { readonly iss?: string; readonly claimed?: string } {
    try {
      const { iss, sub } = decodeJwt(token)
      if (typeof iss !== 'string') return {}
      return { iss, ...(typeof sub === 'string' && { claimed: personId(iss, sub) }) }
    } catch {
      return {}
    }
  }

  /** What depends on the path is checked for each request. */
  function admit(
    { person, issuer, scopes, audiences, jkt }: VerifiedToken,
    path: string,
  ): CheckedToken {
    const expected = issuer.audience ?? audiencesOf(config.url, path)
    if (!audiences.some((audience) => expected.includes(audience))) {
      const refusal = refusals.invalid(path, 'The token is for another resource.')
      return { refusal: { ...refusal, credential: { cause: 'audience', claimed: person.id } } }
    }
    if (!issuer.requiredScopes.every((scope) => scopes.includes(scope))) {
      const refusal = refusals.insufficientScope(path, issuer)
      return { refusal: { ...refusal, credential: { cause: 'scope', claimed: person.id } } }
    }
    return { person, ...(jkt !== undefined && { jkt }) }
  }
}
