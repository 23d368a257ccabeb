import type { LearningStore, Use } from 'toolsearch/learning'
import type { Database } from '../state/database.ts'

/** Keeps uses of tools in PostgreSQL, for all replicas. */
export function createPostgresUses(database: Database): LearningStore {
  return {
    async read() {
      const rows = await database.run((queries) =>
        queries.selectFrom('toolsearch_uses').select('use').execute(),
      )
      return rows.map(({ use }) => use as Use)
    },
    async add(uses) {
      if (uses.length === 0) return
      const values = uses.map((use) => ({ id: use.id, use: JSON.stringify(use) }))
      await database.run((queries) =>
        queries
          .insertInto('toolsearch_uses')
          .values(values)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((row) => ({ use: row.ref('excluded.use') })),
          )
          .execute(),
      )
    },
    async remove(ids) {
      if (ids.length === 0) return
      await database.run((queries) =>
        queries
          .deleteFrom('toolsearch_uses')
          .where('id', 'in', [...ids])
          .execute(),
      )
    },
    async clear() {
      await database.run((queries) => queries.deleteFrom('toolsearch_uses').execute())
    },
  }
}
