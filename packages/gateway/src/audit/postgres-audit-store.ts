import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../state/database.ts'
import type { DatabaseTables } from '../state/database-tables.ts'
import { storableText } from '../state/storable-text.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditFilter, AuditStore } from './audit-store.ts'
import { namesOf, textOf } from './matches-filter.ts'

/** How many entries are written or read at once. PostgreSQL accepts 65,535 parameters. */
const BATCH = 500
/** Entries are deleted in steps, so that none takes long. */
const DELETED_AT_ONCE = 10_000

/** Stores audit entries in PostgreSQL. Nothing here changes an entry once it is stored. */
export function createPostgresAuditStore(database: Database): AuditStore {
  function find(filter: AuditFilter, limit: number, before?: string): Promise<AuditEntry[]> {
    return database.run(async (queries) => {
      const rows = await queries
        .selectFrom('toolsearch_audit')
        .select('entry')
        .where((expressions) => expressions.and(conditions(filter, expressions)))
        .$if(before !== undefined, (query) => query.where('id', '<', storableText(before!)))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ entry }) => entry as AuditEntry)
    })
  }

  return {
    async append(entries) {
      for (let from = 0; from < entries.length; from += BATCH) {
        const values = entries.slice(from, from + BATCH).map(toRow)
        await database.run((queries) =>
          queries
            .insertInto('toolsearch_audit')
            .values(values)
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute(),
        )
      }
    },
    async query(filter, { limit, before }) {
      const found = await find(filter, limit + 1, before)
      const entries = found.slice(0, limit)
      return { entries, ...(found.length > limit && { next: entries.at(-1)!.id }) }
    },
    async *export(filter) {
      let before: string | undefined
      for (;;) {
        const entries = await find(filter, BATCH, before)
        yield* entries
        if (entries.length < BATCH) return
        before = entries.at(-1)!.id
      }
    },
    async prune(before) {
      for (;;) {
        const { numDeletedRows } = await database.run((queries) =>
          queries
            .deleteFrom('toolsearch_audit')
            .where('id', 'in', (select) =>
              select
                .selectFrom('toolsearch_audit')
                .select('id')
                .where('at', '<', new Date(before))
                .limit(DELETED_AT_ONCE),
            )
            .executeTakeFirst(),
        )
        if (numDeletedRows < BigInt(DELETED_AT_ONCE)) return
      }
    },
    // The database is closed by its owner.
    close: async () => {},
  }
}

function toRow(entry: AuditEntry) {
  const { id, at, kind, action, outcome, profile, client, target, searches } = entry
  const optional = (text: string | undefined) => (text === undefined ? null : storableText(text))
  return {
    id: storableText(id),
    at,
    kind,
    action: storableText(action),
    outcome,
    profile: optional(profile),
    client: optional(client),
    server: optional(target?.server),
    target: optional(target?.name),
    people: namesOf(entry).map(storableText),
    not_found: searches?.some(({ hits }) => hits.length === 0) ?? false,
    text: storableText(textOf(entry)),
    entry: JSON.stringify(entry),
  }
}

function conditions(
  filter: AuditFilter,
  expressions: ExpressionBuilder<DatabaseTables, 'toolsearch_audit'>,
) {
  const { since, until, person, tool, text } = filter
  const found = (['kind', 'action', 'profile', 'client', 'outcome', 'server'] as const).flatMap(
    (column) => {
      const value = filter[column]
      return value === undefined ? [] : expressions(column, '=', storableText(value))
    },
  )
  if (since !== undefined) found.push(expressions('at', '>=', dateOf(since)))
  if (until !== undefined) found.push(expressions('at', '<', dateOf(until)))
  if (filter.notFound) found.push(expressions('not_found', '=', true))
  const raw = [IS_LAST]
  if (person !== undefined) {
    raw.push(sql<SqlBool>`${storableText(person.toLowerCase())} = any(people)`)
  }
  if (tool !== undefined) {
    const pattern = likePattern(storableText(tool))
    raw.push(sql<SqlBool>`(target like ${pattern} or server || '/' || target like ${pattern})`)
  }
  if (text !== undefined) {
    raw.push(sql<SqlBool>`position(${storableText(text.toLowerCase())} in text) > 0`)
  }
  return [...found, ...raw]
}

/** Not the start of a request that has ended; see `endId`. */
const IS_LAST = sql<SqlBool>`(outcome <> 'unknown' or not exists (
  select from toolsearch_audit as ended where ended.id = toolsearch_audit.id || '-end'
))`

/** `*` stands for any characters, and nothing else is special. */
function likePattern(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

/** Within the range of both JavaScript and PostgreSQL. */
function dateOf(time: number): Date {
  return new Date(Math.min(Math.max(time, 0), Date.UTC(9999, 11, 31)))
}
