import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { type RecordChanges, watchRecords } from './record-changes.ts'

export interface OpenReplica {
  readonly database: Database
  readonly changes: RecordChanges
}

/** Until the process ends, because several test files share it. */
let opening: Promise<readonly [Database, Database]> | undefined

/** Opens an empty database twice, as two replicas would. One at a time: each call empties the database. */
export async function openReplicas(): Promise<readonly [OpenReplica, OpenReplica]> {
  opening ??= openTwice()
  const [one, other] = await opening
  await empty(one)
  return [watched(one), watched(other)]
}

async function openTwice(): Promise<readonly [Database, Database]> {
  const url = await freshDatabase()
  return [await openDatabase(url), await openDatabase(url)]
}

async function empty(database: Database): Promise<void> {
  await database.run(async (queries) => {
    const { rows } = await sql<{ tablename: string }>`
      select tablename from pg_tables where schemaname = 'public'
      and tablename not in ('toolsearch_schema', 'toolsearch_migrations', 'toolsearch_migrations_lock')
    `.execute(queries)
    const tables = rows.map(({ tablename }) => sql.table(tablename))
    await sql`truncate ${sql.join(tables)} restart identity`.execute(queries)
  })
}

function watched(database: Database): OpenReplica {
  const changes = watchRecords(database, { intervalMs: 50 })
  onTestFinished(() => changes.close())
  return { database, changes }
}
