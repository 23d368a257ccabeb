import type { CredentialScope, Person } from './person.ts'

/** An API key as it is stored: not the key itself, only its hash. */
export interface StoredKey {
  readonly id: string
  /** The SHA-256 hash of the key, in hex. */
  readonly hash: string
  /** What the key is for. */
  readonly name: string
  readonly groups: readonly string[]
  readonly role: Person['role']
  readonly scope?: CredentialScope
  /** All times are in milliseconds since 1970. */
  readonly createdAt: number
  /** The id of the person who created it; undefined on the command line. */
  readonly createdBy?: string
  /** Undefined if it never expires. */
  readonly expiresAt?: number
  readonly revokedAt?: number
  /** Within a minute. */
  readonly lastUsedAt?: number
}

/**
 * Where API keys are stored. Every method rejects if the store cannot be reached; then no key is
 * accepted. `describeKeyStore` in `key-store.cases.ts` is the contract.
 */
export interface KeyStore {
  /** Reads the current state, not a cached one: `createApiKeys` caches. */
  find(id: string): Promise<StoredKey | undefined>
  /** Latest first, including expired and revoked keys. */
  list(): Promise<readonly StoredKey[]>
  /** Rejects if there is a key with this id. */
  add(key: StoredKey): Promise<void>
  /** Resolves to false if there is no such key, or if it is revoked already. */
  revoke(id: string, at: number): Promise<boolean>
  /** Sets `lastUsedAt`, unless it is later already. Does nothing for unknown keys. */
  markUsed(id: string, at: number): Promise<void>
  close(): Promise<void>
}
