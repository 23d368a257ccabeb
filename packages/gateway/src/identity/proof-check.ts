import { createHash } from 'node:crypto'
import type { UsedProofs } from './used-proofs.ts'

type Jose = typeof import('jose')

/** Algorithms that proofs may be signed with. */
export const PROOF_ALGORITHMS: readonly string[] = ['ES256', 'PS256', 'RS256', 'EdDSA']

/** A request that has to come with a proof. */
export interface ProvenRequest {
  readonly token: string
  /** The id of the person that the token names. */
  readonly person: string
  /** The thumbprint of the key that the token is bound to. */
  readonly jkt: string
  readonly proof: string | readonly string[] | undefined
  readonly method?: string | undefined
  readonly path: string
}

/**
 * Checks that the sender of a token has the key that the token is bound to (RFC 9449, section 4.3).
 * Resolves to what is wrong, or to undefined. Rejects if it cannot be known whether the proof was used.
 */
export type ProofCheck = (request: ProvenRequest) => Promise<string | undefined>

export interface ProofCheckOptions {
  /** The public address of the gateway, without a path. */
  readonly url: string
  readonly usedProofs: UsedProofs
  readonly clockSkewSeconds: number
  readonly now: () => number
}

/** How old a proof may be. */
const MAX_AGE_SECONDS = 60
const MAX_PROOF = 8_192

export function createProofCheck(
  { calculateJwkThumbprint, EmbeddedJWK, jwtVerify }: Jose,
  { url, usedProofs, clockSkewSeconds, now }: ProofCheckOptions,
): ProofCheck {
  const acceptedMs = (MAX_AGE_SECONDS + 2 * clockSkewSeconds) * 1_000

  return async ({ token, person, jkt, proof, method, path }) => {
    // Node.js joins repeated headers with a comma, which a proof does not contain.
    if (typeof proof !== 'string' || proof.length > MAX_PROOF) {
      return 'The token is bound to a key. Send it with exactly one DPoP proof.'
    }
    let verified: Awaited<ReturnType<typeof jwtVerify>>
    try {
      verified = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: [...PROOF_ALGORITHMS],
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(now()),
      })
    } catch {
      return 'The DPoP proof is invalid or too old.'
    }
    const { payload, protectedHeader } = verified
    const { htm, htu, ath, jti } = payload
    if (htm !== method || !isSameAddress(htu, `${url}${path}`)) {
      return 'The DPoP proof is for another request.'
    }
    if (ath !== createHash('sha256').update(token).digest('base64url')) {
      return 'The DPoP proof is for another token.'
    }
    if ((await calculateJwkThumbprint(protectedHeader.jwk!)) !== jkt) {
      return 'The token is bound to another key than that of the DPoP proof.'
    }
    if (typeof jti !== 'string' || jti === '') return 'The DPoP proof has no id.'
    const isFirst = await usedProofs.use({ person, jkt, jti }, acceptedMs)
    return isFirst ? undefined : 'The DPoP proof has been used before.'
  }
}

/** Compares without query and fragment, as the specification asks. */
function isSameAddress(htu: unknown, address: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const [sent, own] = [new URL(htu), new URL(address)]
  return sent.origin === own.origin && sent.pathname === own.pathname
}
