/** A pool or client of `pg`, or PGlite. It stays yours to close. */
export interface PostgresStorePool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** What PostgreSQL answers if another process has created the same table at the same time. */
const CREATED_MEANWHILE = ['23505', '42P07', '42710']

/**
 * Returns a function that creates a table when it is first called, and again after a failure. It
 * creates nothing if the table exists: the user of the database may have no right to.
 *
 * @param table quoted
 */
export function createTableOnce(
  pool: PostgresStorePool,
  table: string,
  columns: string,
): () => Promise<void> {
  let creation: Promise<void> | undefined
  return async () => {
    creation ??= createTable(pool, table, columns)
    try {
      await creation
    } catch (error) {
      creation = undefined
      throw error
    }
  }
}

/** Quotes the name of a table, which may contain a schema. */
export function quotedName(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}

async function createTable(pool: PostgresStorePool, table: string, columns: string): Promise<void> {
  const exists = async () => {
    const { rows } = await pool.query('select to_regclass($1) as found', [table])
    return (rows[0] as { found: unknown }).found !== null
  }
  if (await exists()) return
  try {
    await pool.query(`create table if not exists ${table} (${columns})`)
  } catch (error) {
    const { code } = error as { code?: string }
    if (!CREATED_MEANWHILE.includes(code ?? '') || !(await exists())) throw error
  }
}
