/**
 * Who sends a request: a person who signed in, a machine with an API key, or anyone who can reach a
 * gateway without identity settings.
 */
export interface Person {
  /** Stable and unique: issuer and subject, or the id of an API key. Safe to store, not secret. */
  readonly id: string
  /** The issuer of the token, or `key`, `token` or `local`. */
  readonly issuer: string
  /** The subject within the issuer. */
  readonly subject: string
  /** For people to read. Never used in decisions. */
  readonly name?: string
  readonly email?: string
  /** As the issuer spells them. */
  readonly groups: readonly string[]
  readonly role: 'administrator' | 'member'
  /**
   * What the credential itself permits, if it permits less than its owner: names and patterns like
   * those of `allow`. An API key can be limited to some tools and profiles.
   */
  readonly scope?: CredentialScope
  /** When the credential expires, in milliseconds since 1970. */
  readonly expiresAt?: number
  /** The access token that came with the request, for token exchange. Never stored or logged. */
  readonly token?: string
}

export interface CredentialScope {
  readonly allow?: readonly string[]
  readonly profiles?: readonly string[]
}

/** The id that joins issuer and subject. Neither can contain a space that would make it ambiguous. */
export function personId(issuer: string, subject: string): string {
  return `${encodeURIComponent(issuer)} ${encodeURIComponent(subject)}`
}

/** The issuer and the subject in an id. Undefined if it is not the id of a person. */
export function readPersonId(id: string): Pick<Person, 'issuer' | 'subject'> | undefined {
  const [issuer, subject, ...rest] = id.split(' ')
  if (!issuer || !subject || rest.length > 0) return undefined
  try {
    return { issuer: decodeURIComponent(issuer), subject: decodeURIComponent(subject) }
  } catch {
    return undefined
  }
}

/** Everybody who can reach a gateway without identity settings, as one person. */
export const LOCAL_PERSON: Person = {
  id: personId('local', 'local'),
  issuer: 'local',
  subject: 'local',
  groups: [],
  role: 'administrator',
}

/** Somebody who has not signed in, where that is not required. */
export const NOBODY: Person = {
  id: personId('nobody', 'nobody'),
  issuer: 'nobody',
  subject: 'nobody',
  groups: [],
  role: 'member',
}
