import type { AccountOverview } from '../accounts/account-overview.ts'
import type { AccessReport } from './access-report.ts'

export type { AccountOverview } from '../accounts/account-overview.ts'
export type { AuditEntry } from '../audit/audit-entry.ts'
export type { ToolAccess } from './access-report.ts'
export type { AuditReport } from './audit-report.ts'

/** The person who uses the page. */
export interface Me {
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly groups: readonly string[]
  readonly role: 'administrator' | 'member'
  readonly features: Features
}

/** Which parts of the page have something to show. */
export interface Features {
  /** People sign in to the gateway. */
  readonly signIn: boolean
  /** People sign in, and the audit log knows what they do. */
  readonly people: boolean
  /** Machines have API keys. */
  readonly keys: boolean
  /** Requests are recorded in the audit log. */
  readonly audit: boolean
  /** Some servers run with the credentials of each person. */
  readonly accounts: boolean
}

/** Who has used the gateway in a period, and what for. */
export interface PeopleReport {
  readonly since: string
  /** Most recently seen first. */
  readonly people: readonly PersonSummary[]
  readonly groups: readonly { readonly name: string; readonly people: number }[]
}

export interface PersonSummary {
  readonly id: string
  readonly name?: string
  readonly email?: string
  /** As of the last request. */
  readonly groups: readonly string[]
  readonly lastSeen: string
  readonly searches: number
  readonly calls: number
  readonly denied: number
  readonly limited: number
  /** Tokens that lists and search answers have cost. */
  readonly tokens: number
  /** Tokens that sending every tool would have cost in addition. */
  readonly savedTokens: number
}

/** What a person may use, and why. */
export interface PersonAccess extends AccessReport {
  readonly person: AccessReport['person'] & Pick<PersonSummary, 'name' | 'email'>
  /** The names of all profiles. */
  readonly profiles: readonly string[]
}

export interface KeyList {
  /** Latest first. */
  readonly keys: readonly KeySummary[]
}

/** An API key, without the key itself. */
export interface KeySummary {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'expired' | 'revoked'
  readonly groups: readonly string[]
  readonly role: 'administrator' | 'member'
  /** Tools that it is limited to: names, patterns and effects. */
  readonly allow?: readonly string[]
  /** Profiles that it is limited to. */
  readonly profiles?: readonly string[]
  readonly createdAt: string
  readonly createdBy?: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
}

export interface NewKeyRequest {
  readonly name: string
  readonly groups?: readonly string[]
  readonly role?: 'administrator' | 'member'
  readonly allow?: readonly string[]
  readonly profiles?: readonly string[]
  /** @default never expires */
  readonly days?: number
}

/** A key that was just created. Its secret is never shown again. */
export interface NewKey {
  readonly key: KeySummary
  readonly secret: string
}

/** The rate limits, and what they have refused in a period. */
export interface LimitsReport {
  readonly since: string
  readonly limits: readonly {
    /** As a sentence, such as "Each person: 300 calls a minute, 20 at a time." */
    readonly text: string
    readonly refused: number
  }[]
}

/** The person's own accounts on servers. */
export interface AccountList {
  readonly accounts: readonly AccountOverview[]
}
