import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Database } from './database.ts'
import { DatabaseUnavailableError, toDatabaseError } from './database-error.ts'
import { type DatabasePoolOptions, openDatabasePool } from './database-pool.ts'
import type { DatabaseTables } from './database-tables.ts'
import { migrateDatabase } from './migrate-database.ts'

export interface OpenDatabaseOptions extends DatabasePoolOptions {
  /** Called once when it cannot be used, and once when it can be again. Must not throw. */
  readonly onAvailable?: (isAvailable: boolean) => void
}

/** A database that takes longer for the simplest query is not available. */
const AVAILABLE_MS = 2_000

/**
 * Connects to PostgreSQL and creates or upgrades the tables. Loads `pg` and `kysely`, so import this
 * module only if a database is configured.
 *
 * @throws DatabaseUnavailableError
 * @throws DatabaseTooNewError
 */
export async function openDatabase(
  url: string,
  { onAvailable, ...options }: OpenDatabaseOptions = {},
): Promise<Database> {
  // The error of an invalid URL would contain the password.
  if (!URL.canParse(url)) throw new DatabaseUnavailableError('Its URL is invalid.')
  await guarded(() => migrateDatabase(url))
  const pool = await openDatabasePool(url, options)
  const db = new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) })
  let wasAvailable = true
  function report(isAvailable: boolean): void {
    if (isAvailable !== wasAvailable) onAvailable?.(isAvailable)
    wasAvailable = isAvailable
  }
  const watched = async <Result>(task: () => Promise<Result>) => {
    try {
      const result = await guarded(task)
      report(true)
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) report(false)
      throw error
    }
  }
  return {
    run: (task) => watched(() => task(db)),
    transaction: (task) => watched(() => db.transaction().execute(task)),
    async isAvailable() {
      const answer = sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
      const isAvailable = await Promise.race([answer, wait(AVAILABLE_MS, false, { ref: false })])
      report(isAvailable)
      return isAvailable
    },
    close: () => db.destroy(),
  }
}

async function guarded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    throw toDatabaseError(error)
  }
}
