import type { JWTPayload } from 'jose'

/** Claims of a token, checked and bounded; or what is wrong with them. */
export type ReadClaims =
  | {
      readonly subject: string
      readonly name?: string
      readonly email?: string
      readonly groups: readonly string[]
      readonly scopes: readonly string[]
      readonly audiences: readonly string[]
    }
  | { readonly problem: string }

const MAX_GROUPS = 1_000
const MAX_LENGTH = 512

/** @param groupsClaim the name of a claim, or a path to a value inside of one */
export function readClaims(claims: JWTPayload, groupsClaim: string): ReadClaims {
  const { sub, aud } = claims
  if (!isShortText(sub)) return { problem: 'The token has no valid subject.' }
  const groups = readGroups(claims, groupsClaim)
  if (typeof groups === 'string') return { problem: groups }
  const name = [claims.name, claims.preferred_username].find(isShortText)
  const email = verifiedEmail(claims)
  return {
    subject: sub,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    groups,
    scopes: [...words(claims.scope), ...words(claims.scp)],
    audiences: (Array.isArray(aud) ? aud : [aud]).filter((each) => typeof each === 'string'),
  }
}

/** Returns a text if the groups are unknown: nobody may be judged by a part of their groups. */
function readGroups(claims: JWTPayload, groupsClaim: string): readonly string[] | string {
  const elsewhere = claims._claim_names
  const [claim = ''] = groupsClaim.split('.')
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)) {
    return (
      `The person is in so many groups that the token does not contain them (claim "${claim}"). ` +
      'Let the provider send only the groups that are assigned to the application, or application roles.'
    )
  }
  const value = valueAt(claims, groupsClaim)
  if (value === undefined || value === null) return []
  // Only scopes are a list in a text: the name of a group may contain spaces.
  const isList = groupsClaim === 'scope' || groupsClaim === 'scp'
  const groups = typeof value !== 'string' ? value : isList ? words(value) : [value].filter(Boolean)
  if (!Array.isArray(groups) || !groups.every((group) => isShortText(group))) {
    return `The claim "${groupsClaim}" is not a list of short texts.`
  }
  if (groups.length > MAX_GROUPS) {
    return `The claim "${groupsClaim}" has more than ${MAX_GROUPS} groups.`
  }
  return [...new Set(groups)]
}

/** The names of claims can contain dots themselves, as in `https://example.com/groups`. */
function valueAt(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Anybody can claim an address that nobody has verified. */
function verifiedEmail({ email, email_verified }: JWTPayload): string | undefined {
  const isVerified = email_verified === true || email_verified === 'true'
  return isVerified && isShortText(email) ? email.toLowerCase() : undefined
}

function words(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter(isShortText)
  return typeof value === 'string' ? value.split(' ').filter(Boolean) : []
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH
}
