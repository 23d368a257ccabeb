import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Database } from './database.ts'
import { DatabaseUnavailableError, toDatabaseError } from './database-error.ts'
import { type DatabasePoolOptions, openDatabasePool } from './database-pool.ts'
import type { DatabaseTables } from './database-tables.ts'
import { migrateDatabase } from './migrate-database.ts'

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
  options: DatabasePoolOptions = {},
): Promise<Database> {
  // The error of an invalid URL would contain the password.
  if (!URL.canParse(url)) throw new DatabaseUnavailableError('Its URL is invalid.')
  await guarded(() => migrateDatabase(url))
  const pool = await openDatabasePool(url, options)
  const db = new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) })
  return {
    run: (task) => guarded(() => task(db)),
    transaction: (task) => guarded(() => db.transaction().execute(task)),
    isAvailable: () => {
      const answer = sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
      return Promise.race([answer, wait(AVAILABLE_MS, false, { ref: false })])
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
