import { sql } from 'kysely'
import type { Database } from '../../state/database.ts'
import { MAX_STORED_BYTES, type SkillTextStore } from './skill-texts.ts'

/** Stores the texts of skills in PostgreSQL, for all replicas. */
export function createPostgresSkillTexts(
  database: Database,
  maxBytes: number = MAX_STORED_BYTES,
): SkillTextStore {
  return {
    async read(digest) {
      const row = await database.run((queries) =>
        queries
          .selectFrom('toolsearch_skill_texts')
          .select('content')
          .where('digest', '=', digest)
          .executeTakeFirst(),
      )
      return row && Buffer.from((row.content as { text: string }).text, 'utf8')
    },
    async write(digest, text) {
      const bytes = Buffer.byteLength(text)
      await database.run(async (queries) => {
        await queries
          .insertInto('toolsearch_skill_texts')
          .values({ digest, bytes, kept_at: sql`now()`, content: JSON.stringify({ text }) })
          .onConflict((conflict) => conflict.column('digest').doUpdateSet({ kept_at: sql`now()` }))
          .execute()
        await sql`
          delete from toolsearch_skill_texts where digest in (
            select digest from (
              select digest, sum(bytes) over (order by kept_at desc, digest) as total
              from toolsearch_skill_texts
            ) as texts where total > ${maxBytes}
          )
        `.execute(queries)
      })
    },
  }
}
