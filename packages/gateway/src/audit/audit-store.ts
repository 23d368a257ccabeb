import type { AuditEntry } from './audit-entry.ts'

/**
 * Where audit entries are stored: JSON Lines files, or a table in PostgreSQL. Nothing can be changed
 * once it is stored. An entry with the outcome `unknown` is left out once the entry with its `endId` is
 * stored. `audit-store.cases.ts` is the contract.
 */
export interface AuditStore {
  /**
   * Stores entries, all of them or, after a failure, possibly some. Resolves when they are stored, and
   * rejects if that is not certain; the same entries are then appended again. An entry that was
   * appended twice is returned once.
   */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** A page of the entries that match, latest first. */
  query(filter: AuditFilter, page: AuditPageRequest): Promise<AuditPage>
  /** All entries that match, day by day, without keeping them in memory. */
  export(filter: AuditFilter): AsyncIterable<AuditEntry>
  /**
   * Deletes the entries before a time, in milliseconds since 1970. May keep those of the same day (UTC)
   * until the day is over.
   */
  prune(before: number): Promise<void>
  close(): Promise<void>
}

/** Reads entries without being able to add or delete any. */
export type AuditReader = Pick<AuditStore, 'query' | 'export'>

/** An entry must match every field that is set. */
export interface AuditFilter {
  /** In milliseconds since 1970, included. */
  readonly since?: number | undefined
  /** In milliseconds since 1970, excluded. */
  readonly until?: number | undefined
  readonly kind?: AuditEntry['kind'] | undefined
  /** The exact id, name or email address of a person. Case does not matter. */
  readonly person?: string | undefined
  /** The name of the target, or `server/name`. `*` stands for any characters. */
  readonly tool?: string | undefined
  readonly server?: string | undefined
  /** Exact, such as `tools/call`. */
  readonly action?: string | undefined
  readonly profile?: string | undefined
  readonly client?: string | undefined
  readonly outcome?: AuditEntry['outcome'] | undefined
  /** Only requests with a search that found nothing. */
  readonly notFound?: boolean | undefined
  /** Occurs in a query, a hit, the target, the action, the reason or the error. Case does not matter. */
  readonly text?: string | undefined
}

interface AuditPageRequest {
  readonly limit: number
  /** The `next` of the page before. */
  readonly before?: string | undefined
}

interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Pass as `before` to get the next page; absent on the last one. */
  readonly next?: string
}
