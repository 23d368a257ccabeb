import type { Kysely } from 'kysely'
import type { Database } from '../../state/database.ts'
import type { DatabaseTables } from '../../state/database-tables.ts'
import { countChange, type RecordChanges } from '../../state/record-changes.ts'
import { recordKey } from '../../state/record-key.ts'
import {
  type ApprovalStore,
  noApprovals,
  type StoredApprovals,
  setRecord,
  type ToolRecord,
  type ToolRecords,
} from './approval-store.ts'
import { addPast, type DefinitionHistory, type PastDefinition } from './definition-history.ts'

interface StoredApproval {
  readonly server: string
  readonly tool: string
  readonly record: ToolRecord
}

interface StoredPast {
  readonly server: string
  readonly tool: string
  readonly past: readonly PastDefinition[]
}

const NEW_WAITS = 'approvals.newWaits'
/** PostgreSQL accepts 65,535 parameters. */
const ROWS_PER_INSERT = 1_000
const MAX_PAST_TOOLS = 500

/** Stores approvals in PostgreSQL, one row per tool. */
export function createPostgresApprovalStore(
  database: Database,
  changes: RecordChanges,
): ApprovalStore {
  return {
    read: () => database.run(readAll),
    async save({ seen, decided, replaced, newWaits }) {
      const stored = await database.transaction(async (queries) => {
        // First: its lock lets one transaction at a time through.
        await countChange(queries, 'approvals')
        await insertSeen(queries, seen)
        await upsertDecided(queries, decided)
        await addReplaced(queries, replaced)
        if (newWaits !== undefined) await writeNewWaits(queries, newWaits)
        return readAll(queries)
      })
      changes.announce('approvals')
      return stored
    },
    onChange: (listener) => changes.subscribe('approvals', listener),
  }
}

type Queries = Kysely<DatabaseTables>

async function readAll(queries: Queries): Promise<StoredApprovals> {
  const { records, history } = noApprovals()
  for (const { approval } of await queries
    .selectFrom('toolsearch_approvals')
    .select('approval')
    .execute()) {
    const { server, tool, record } = approval as StoredApproval
    setRecord(records, server, tool, record)
  }
  for (const row of await queries
    .selectFrom('toolsearch_past_definitions')
    .select('past')
    .execute()) {
    const { server, tool, past } = row.past as StoredPast
    addPast(history, server, tool, past)
  }
  const setting = await queries
    .selectFrom('toolsearch_settings')
    .select('value')
    .where('name', '=', NEW_WAITS)
    .executeTakeFirst()
  const { newWaits = false } = (setting?.value ?? {}) as { newWaits?: boolean }
  return { records, history, newWaits }
}

async function insertSeen(queries: Queries, seen: ToolRecords): Promise<void> {
  for (const values of rowsOf(seen)) {
    await queries
      .insertInto('toolsearch_approvals')
      .values(values)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}

async function upsertDecided(queries: Queries, decided: ToolRecords): Promise<void> {
  for (const values of rowsOf(decided)) {
    await queries
      .insertInto('toolsearch_approvals')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(({ ref }) => ({ approval: ref('excluded.approval') })),
      )
      .execute()
  }
}

function* rowsOf(records: ToolRecords) {
  const rows = [...records].flatMap(([server, tools]) =>
    [...tools].map(([tool, record]) => {
      const approval: StoredApproval = { server, tool, record }
      return { key: recordKey(server, tool), approval: JSON.stringify(approval) }
    }),
  )
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    yield rows.slice(from, from + ROWS_PER_INSERT)
  }
}

async function addReplaced(queries: Queries, replaced: DefinitionHistory): Promise<void> {
  const tools = [...replaced].flatMap(([server, byTool]) =>
    [...byTool].map(([tool, past]) => ({ key: recordKey(server, tool), server, tool, past })),
  )
  if (tools.length === 0) return
  const stored = await queries
    .selectFrom('toolsearch_past_definitions')
    .select(['key', 'past'])
    .where(
      'key',
      'in',
      tools.map(({ key }) => key),
    )
    .execute()
  const before = new Map(stored.map(({ key, past }) => [key, (past as StoredPast).past]))
  const rows = tools.map(({ key, server, tool, past }) => {
    const merged: DefinitionHistory = new Map()
    addPast(merged, server, tool, [...past, ...(before.get(key) ?? [])])
    const next: StoredPast = { server, tool, past: merged.get(server)?.get(tool) ?? [] }
    const changedAt = next.past[0]?.replacedAt ?? new Date(0).toISOString()
    return { key, past: JSON.stringify(next), changed_at: changedAt }
  })
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await queries
      .insertInto('toolsearch_past_definitions')
      .values(rows.slice(from, from + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(({ ref }) => ({
          past: ref('excluded.past'),
          changed_at: ref('excluded.changed_at'),
        })),
      )
      .execute()
  }
  await queries
    .deleteFrom('toolsearch_past_definitions')
    .where('key', 'in', (select) =>
      select
        .selectFrom('toolsearch_past_definitions')
        .select('key')
        .orderBy('changed_at', 'desc')
        .offset(MAX_PAST_TOOLS),
    )
    .execute()
}

async function writeNewWaits(queries: Queries, newWaits: boolean): Promise<void> {
  const value = JSON.stringify({ newWaits })
  await queries
    .insertInto('toolsearch_settings')
    .values({ name: NEW_WAITS, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
