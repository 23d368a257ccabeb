import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import { DatabaseTooNewError } from './database-error.ts'
import { databaseMigrations } from './database-migrations.ts'
import { openDatabasePool } from './database-pool.ts'
import type { DatabaseTables } from './database-tables.ts'

const MIGRATIONS_TABLE = 'toolsearch_migrations'

/**
 * Creates the tables, or brings them to the version that this program knows. Several replicas may start
 * at the same time: one migrates, the others wait. Leaves a database alone that a newer program
 * has migrated, because migrations only add.
 *
 * @throws DatabaseTooNewError
 */
export async function migrateDatabase(
  url: string,
  migrations: Readonly<Record<string, Migration>> = databaseMigrations,
): Promise<void> {
  // Of its own, because waiting for another replica and rewriting a table may take minutes.
  const pool = await openDatabasePool(url, { connections: 1, statementTimeoutMs: 0 })
  const db = new Kysely<DatabaseTables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
    const schema = rows[0]?.schema ?? 'public'
    for (;;) {
      const { minimum, applied } = await readVersion(db, schema)
      const known = Object.keys(migrations)
      if (minimum > known.length) throw new DatabaseTooNewError(minimum, known.length)
      const isNewer = applied.some((name) => !known.includes(name))
      if (isNewer) return
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...migrations }) },
        migrationTableSchema: schema,
        migrationTableName: MIGRATIONS_TABLE,
        migrationLockTableName: 'toolsearch_migrations_lock',
      })
      const { error } = await migrator.migrateToLatest()
      if (error === undefined) return
      // A newer program may have migrated while we waited.
      const now = await readVersion(db, schema)
      if (now.applied.length === applied.length) throw error
    }
  } finally {
    await db.destroy()
  }
}

interface SchemaVersion {
  readonly minimum: number
  /** The names of the migrations that were applied. */
  readonly applied: readonly string[]
}

async function readVersion(db: Kysely<DatabaseTables>, schema: string): Promise<SchemaVersion> {
  const tables = await sql<{ tablename: string }>`
    select tablename from pg_tables
    where schemaname = ${schema} and tablename in (${MIGRATIONS_TABLE}, 'toolsearch_schema')
  `.execute(db)
  if (tables.rows.length < 2) return { minimum: 0, applied: [] }
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATIONS_TABLE)}
  `.execute(db)
  const { minimum } = await db
    .selectFrom('toolsearch_schema')
    .select('minimum')
    .executeTakeFirstOrThrow()
  return { minimum, applied: rows.map(({ name }) => name) }
}
