import type { Kysely } from 'kysely'
import type { DatabaseTables } from './database-tables.ts'

/**
 * PostgreSQL, for records that must not be lost. Every method rejects with `DatabaseUnavailableError` while
 * it cannot be reached or cannot store anything, after a few seconds at most, and works again as
 * soon as PostgreSQL does.
 */
export interface Database {
  run<Result>(task: (queries: Kysely<DatabaseTables>) => Promise<Result>): Promise<Result>
  /** Runs queries of which all take effect or none. */
  transaction<Result>(task: (queries: Kysely<DatabaseTables>) => Promise<Result>): Promise<Result>
  /** Whether it can be reached. Never rejects. */
  isAvailable(): Promise<boolean>
  close(): Promise<void>
}
