import type { JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose'
import type { IssuerConfig } from '../config/team-config.ts'
import { textOf } from '../protocol/json-object.ts'
import { createIssuerMetadata, type IssuerMetadata, isSameIssuer } from './issuer-metadata.ts'
import { createSigningKeys } from './signing-keys.ts'

type Jose = typeof import('jose')

/** An issuer that tokens can come from. */
export interface TrustedIssuer {
  readonly config: IssuerConfig
  metadata(): Promise<IssuerMetadata>
  /**
   * Checks the signature, issuer and times of a token, but neither audience nor scopes.
   *
   * @throws ProviderUnavailableError if the signature cannot be checked now
   * @throws another error if the token is invalid
   */
  verify(token: string): Promise<JWTPayload>
}

export interface TrustedIssuerOptions {
  readonly clockSkewSeconds: number
  readonly now?: (() => number) | undefined
}

/** The keys of an issuer must never be used as secrets, and `none` signs nothing. */
const SIGNATURES = /^(RS|PS|ES)(256|384|512)$|^(EdDSA|Ed25519)$/
/** Of access tokens (RFC 9068), and what providers use that predate it. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']
const MAX_KEYS_TO_TRY = 10

export function createTrustedIssuer(
  jose: Jose,
  config: IssuerConfig,
  { clockSkewSeconds, now = Date.now }: TrustedIssuerOptions,
): TrustedIssuer {
  const metadata = createIssuerMetadata(config.issuer, now)
  const { jwksUrl } = config
  const url = jwksUrl === undefined ? async () => (await metadata()).jwks_uri : async () => jwksUrl
  const keys = createSigningKeys(jose, { url, now })
  const algorithms = config.algorithms.filter((algorithm) => SIGNATURES.test(algorithm))

  return {
    config,
    metadata,
    async verify(token) {
      const options = {
        algorithms,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['iss', 'sub', 'aud', 'exp'],
      }
      const verified = await verifyWithKeys(jose, token, keys, options)
      const { payload, protectedHeader } = verified
      if (!isSameIssuer(textOf(payload.iss), config.issuer)) throw new Error('another issuer')
      const { typ } = protectedHeader
      if (typ !== undefined && !TYPES.includes(typ.toLowerCase())) throw new Error('type')
      return payload
    },
  }
}

/** A token without a key id is tried with each key that fits. */
async function verifyWithKeys(
  { jwtVerify, errors }: Jose,
  token: string,
  keys: JWTVerifyGetKey,
  options: Parameters<Jose['jwtVerify']>[2],
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error) {
      if (++tried > MAX_KEYS_TO_TRY) break
      try {
        return await jwtVerify(token, key, options)
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/**
 * Whether the claims are those of an ID token. It tells a client who has signed in and gives access to
 * nothing, but some providers issue it with the same audience.
 */
export function isIdToken(claims: JWTPayload): boolean {
  const { typ, at_hash, c_hash, nonce, scope, scp } = claims
  if (typ === 'ID' || typ === 'Refresh' || at_hash !== undefined || c_hash !== undefined)
    return true
  return nonce !== undefined && scope === undefined && scp === undefined
}
