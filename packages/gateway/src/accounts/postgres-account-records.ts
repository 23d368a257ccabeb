import type { Kysely } from 'kysely'
import type { Database } from '../state/database.ts'
import type { DatabaseTables } from '../state/database-tables.ts'
import { countChange } from '../state/record-changes.ts'
import { recordKey } from '../state/record-key.ts'
import type { AccountKey, AccountRecord, AccountRecords } from './account-records.ts'

/** How many records are read at once when all are read. */
const PAGE = 200

/** Stores accounts in PostgreSQL. */
export function createPostgresAccountRecords(database: Database): AccountRecords {
  /** Other replicas notice a change without announcements as well. */
  async function changing(task: (queries: Kysely<DatabaseTables>) => Promise<bigint>) {
    return database.transaction(async (queries) => {
      const count = await task(queries)
      if (count > 0n) await countChange(queries, 'accounts')
      return Number(count)
    })
  }

  const keyOf = ({ person, server, url }: AccountKey) => recordKey(person, server, url)

  return {
    async read(key) {
      const row = await database.run((queries) =>
        queries
          .selectFrom('toolsearch_accounts')
          .select('account')
          .where('key', '=', keyOf(key))
          .executeTakeFirst(),
      )
      return row?.account as AccountRecord | undefined
    },
    async write(record, replaces) {
      const row = { revision: record.revision, account: JSON.stringify(record) }
      const count = await changing(async (queries) => {
        if (replaces === undefined) {
          const { numInsertedOrUpdatedRows } = await queries
            .insertInto('toolsearch_accounts')
            .values({ key: keyOf(record), person: recordKey(record.person), ...row })
            .onConflict((conflict) => conflict.column('key').doNothing())
            .executeTakeFirst()
          return numInsertedOrUpdatedRows ?? 0n
        }
        const { numUpdatedRows } = await queries
          .updateTable('toolsearch_accounts')
          .set(row)
          .where('key', '=', keyOf(record))
          .where('revision', '=', replaces)
          .executeTakeFirst()
        return numUpdatedRows
      })
      return count === 1
    },
    async list(person) {
      const rows = await database.run((queries) =>
        queries
          .selectFrom('toolsearch_accounts')
          .select('account')
          .where('person', '=', recordKey(person))
          .execute(),
      )
      return rows.map(({ account }) => account as AccountRecord).sort(byServer)
    },
    async remove(key) {
      const count = await changing(async (queries) => {
        const { numDeletedRows } = await queries
          .deleteFrom('toolsearch_accounts')
          .where('key', '=', keyOf(key))
          .executeTakeFirst()
        return numDeletedRows
      })
      return count > 0
    },
    removeAll: (person) =>
      changing(async (queries) => {
        const { numDeletedRows } = await queries
          .deleteFrom('toolsearch_accounts')
          .where('person', '=', recordKey(person))
          .executeTakeFirst()
        return numDeletedRows
      }),
    async *all() {
      for (let after = ''; ; ) {
        const rows = await database.run((queries) =>
          queries
            .selectFrom('toolsearch_accounts')
            .select(['key', 'account'])
            .where('key', '>', after)
            .orderBy('key')
            .limit(PAGE)
            .execute(),
        )
        for (const { account } of rows) yield account as AccountRecord
        if (rows.length < PAGE) return
        after = rows.at(-1)!.key
      }
    },
  }
}

function byServer(a: AccountRecord, b: AccountRecord): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1
  return a.url < b.url ? -1 : 1
}
