import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DatabaseTables } from './database-tables.ts'

/** Kinds of records that replicas keep in memory, and read again when they have changed. */
export type RecordKind = 'approvals' | 'sign-ins' | 'keys' | 'accounts'

/** Counts a change of a kind of record, as a part of the transaction that makes it. */
export async function countChange(
  queries: Kysely<DatabaseTables>,
  kind: RecordKind,
): Promise<void> {
  await queries
    .insertInto('toolsearch_versions')
    .values({ kind, version: 1 })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet({ version: sql`toolsearch_versions.version + 1` }),
    )
    .execute()
}

/** Notices what other replicas, and commands, have changed in the database. */
export interface RecordChanges {
  /**
   * Runs the listener after records of a kind have changed, also by this process. It runs soon, and
   * once for several changes in quick succession. Returns a function that stops it.
   */
  subscribe(kind: RecordKind, listener: () => void): () => void
  /** Looks for changes now. Never rejects. */
  check(): Promise<void>
  close(): void
}

/**
 * Asks the database once per second. An announcement of another replica can make it quicker with
 * `check`, but a lost one is noticed as well.
 */
export function watchRecords(
  database: Database,
  { intervalMs = 1_000 }: { readonly intervalMs?: number } = {},
): RecordChanges {
  const listeners = new Map<RecordKind, Set<() => void>>()
  const known = new Map<string, string>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  /** The first time, everything is new: records may have changed since they were read. */
  async function compare(): Promise<void> {
    const rows = await database
      .run((queries) => queries.selectFrom('toolsearch_versions').selectAll().execute())
      // Later; nothing is missed, because versions are compared.
      .catch(() => [])
    for (const { kind, version } of rows) {
      if (known.get(kind) === version) continue
      known.set(kind, version)
      for (const listener of listeners.get(kind as RecordKind) ?? []) if (!isClosed) listener()
    }
  }

  async function check(): Promise<void> {
    // A check that has begun may have read before the change.
    await running
    running ??= compare().finally(() => {
      running = undefined
    })
    await running
  }

  function plan(): void {
    if (isClosed) return
    timer = setTimeout(() => void check().finally(plan), intervalMs).unref()
  }

  plan()
  return {
    subscribe(kind, listener) {
      const all = listeners.get(kind) ?? new Set()
      listeners.set(kind, all.add(listener))
      return () => void all.delete(listener)
    },
    check,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
