import { type Check, check, complete, name } from '../options/check-option.ts'
import { createTableOnce, type PostgresStorePool, quotedName } from '../stores/postgres-table.ts'
import { type LearningStore, parseUse } from './learning-store.ts'

export interface PostgresLearningStoreOptions {
  pool: PostgresStorePool
  /**
   * Created if it does not exist. May contain a schema, as in `agents.uses`.
   * @default 'toolsearch_uses'
   */
  table?: string
}

const checkStoreOptions = complete(
  {
    pool: check(
      (value) => typeof (value as PostgresStorePool | undefined)?.query === 'function',
      'pass a pool of pg',
    ),
    table: name,
  } satisfies Record<keyof PostgresLearningStoreOptions, Check>,
  ['table'],
)

/**
 * Stores uses in a table of PostgreSQL, which any number of processes can share.
 *
 * @throws InvalidOptionError
 */
export function postgresLearningStore(options: PostgresLearningStoreOptions): LearningStore {
  checkStoreOptions(options, 'options')
  const { pool, table: tableName = 'toolsearch_uses' } = options
  const table = quotedName(tableName)
  const created = createTableOnce(pool, table, 'id text primary key, use text not null')

  async function query(text: string, values: unknown[] = []): Promise<readonly unknown[]> {
    await created()
    return (await pool.query(text, values)).rows
  }

  return {
    async read() {
      const rows = await query(`select use from ${table}`)
      return rows.flatMap((row) => parseUse((row as { use: string }).use) ?? [])
    },
    async add(uses) {
      for (const use of uses) {
        await query(
          `insert into ${table} (id, use) values ($1, $2)
           on conflict (id) do update set use = excluded.use`,
          [use.id, JSON.stringify(use)],
        )
      }
    },
    async remove(ids) {
      if (ids.length > 0) await query(`delete from ${table} where id = any($1)`, [ids])
    },
    async clear() {
      await query(`delete from ${table}`)
    },
  }
}
