import { sql } from 'kysely'
import type { Database } from '../state/database.ts'
import { recordKey } from '../state/record-key.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

/** What never changes about a key. */
type FixedPart = Omit<StoredKey, 'revokedAt' | 'lastUsedAt'>

/** Stores API keys in PostgreSQL. */
export function createPostgresKeyStore(database: Database): KeyStore {
  return {
    async find(id) {
      const row = await database.run((queries) =>
        queries
          .selectFrom('toolsearch_keys')
          .selectAll()
          .where('key', '=', recordKey(id))
          .executeTakeFirst(),
      )
      return row && toKey(row)
    },
    async list() {
      const rows = await database.run((queries) =>
        queries.selectFrom('toolsearch_keys').selectAll().execute(),
      )
      return rows.map(toKey).sort((one, other) => other.createdAt - one.createdAt)
    },
    async add({ revokedAt, lastUsedAt, ...fixed }) {
      const { numInsertedOrUpdatedRows } = await database.run((queries) =>
        queries
          .insertInto('toolsearch_keys')
          .values({
            key: recordKey(fixed.id),
            api_key: JSON.stringify(fixed),
            revoked_at: revokedAt ?? null,
            last_used_at: lastUsedAt ?? null,
          })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .executeTakeFirst(),
      )
      if (numInsertedOrUpdatedRows !== 1n) throw new Error(`There is a key ${fixed.id}.`)
    },
    async revoke(id, at) {
      const { numUpdatedRows } = await database.run((queries) =>
        queries
          .updateTable('toolsearch_keys')
          .set({ revoked_at: at })
          .where('key', '=', recordKey(id))
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
      return numUpdatedRows === 1n
    },
    async markUsed(id, at) {
      await database.run((queries) =>
        queries
          .updateTable('toolsearch_keys')
          .set({ last_used_at: at })
          .where('key', '=', recordKey(id))
          .where(sql<boolean>`coalesce(last_used_at, 0) < ${at}`)
          .execute(),
      )
    },
    // The database is closed by its owner.
    close: async () => {},
  }
}

function toKey({
  api_key,
  revoked_at,
  last_used_at,
}: {
  api_key: object
  revoked_at: string | null
  last_used_at: string | null
}): StoredKey {
  return {
    ...(api_key as FixedPart),
    ...(revoked_at !== null && { revokedAt: Number(revoked_at) }),
    ...(last_used_at !== null && { lastUsedAt: Number(last_used_at) }),
  }
}
