import type { JWTPayload } from 'jose'
import type { AdministratorConfig } from '../config/team-config.ts'
import { type Person, personId } from './person.ts'
import { readClaims } from './read-claims.ts'
import { roleOf } from './role-of.ts'

/** A person as the claims of a token describe it, and what else the claims say; or what is wrong. */
export type ClaimedPerson =
  | {
      readonly person: Person & { readonly expiresAt: number }
      readonly scopes: readonly string[]
      readonly audiences: readonly string[]
    }
  | { readonly problem: string }

export interface PersonFromClaimsOptions {
  /** The issuer as it is configured. Tokens may spell it with or without a slash at the end. */
  readonly issuer: string
  readonly groupsClaim: string
  readonly administrators: readonly AdministratorConfig[]
}

/** @param claims of a token whose signature, issuer and times have been checked */
export function personFromClaims(
  claims: JWTPayload,
  { issuer, groupsClaim, administrators }: PersonFromClaimsOptions,
): ClaimedPerson {
  const read = readClaims(claims, groupsClaim)
  if ('problem' in read) return read
  const { exp = 0 } = claims
  const { subject, scopes, audiences, ...about } = read
  const role = roleOf({ ...about, issuer, subject }, administrators)
  const expiresAt = exp * 1_000
  const person = { id: personId(issuer, subject), issuer, subject, ...about, role, expiresAt }
  return { person, scopes, audiences }
}
