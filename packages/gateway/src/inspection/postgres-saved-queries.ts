import type { EvaluationQuery } from 'toolsearch/evaluation'
import type { Database } from '../state/database.ts'
import { recordKey } from '../state/record-key.ts'
import type { SavedQueries } from './saved-queries.ts'

/** Keeps saved queries in PostgreSQL. */
export function createPostgresSavedQueries(database: Database): SavedQueries {
  return {
    file: 'PostgreSQL',
    async read() {
      const rows = await database.run((queries) =>
        queries
          .selectFrom('toolsearch_saved_queries')
          .select('query')
          .orderBy('position')
          .execute(),
      )
      return { queries: rows.map(({ query }) => query as EvaluationQuery), problems: [] }
    },
    async save({ query, relevant }) {
      const key = recordKey(query)
      await database.transaction(async (queries) => {
        const row = await queries
          .selectFrom('toolsearch_saved_queries')
          .select('query')
          .where('key', '=', key)
          .forUpdate()
          .executeTakeFirst()
        const { groups: _, ...known } = (row?.query ?? {}) as Partial<EvaluationQuery>
        const text = JSON.stringify({ ...known, query, relevant })
        await queries
          .insertInto('toolsearch_saved_queries')
          .values({ key, query: text })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ query: text }))
          .execute()
      })
    },
    async remove(query) {
      const { numDeletedRows } = await database.run((queries) =>
        queries
          .deleteFrom('toolsearch_saved_queries')
          .where('key', '=', recordKey(query))
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
  }
}
