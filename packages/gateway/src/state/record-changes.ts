import { type Kysely, sql } from 'kysely'
import { type Announced, announce, onAnnounced } from './announcements.ts'
import type { Database } from './database.ts'
import type { DatabaseTables } from './database-tables.ts'
import type { SharedState } from './shared-state.ts'

/** Counts a change of a kind of record, as a part of the transaction that makes it. */
export async function countChange(queries: Kysely<DatabaseTables>, kind: Announced): Promise<void> {
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
   * once for several changes in quick succession. It must not reject. Returns a function that stops it.
   */
  subscribe(kind: Announced, listener: () => void | Promise<void>): () => void
  /** Tells other replicas that they should look now. Call it after the transaction. */
  announce(kind: Announced): void
  /** Looks for changes now. Never rejects. */
  check(): Promise<void>
  close(): void
}

export interface WatchRecordsOptions {
  /** How often to look for changes. @default 1_000 */
  readonly intervalMs?: number
  /** Announces changes, so that other replicas look for them at once. */
  readonly state?: SharedState | undefined
}

/** Asks the database once per second: a change without an announcement is noticed as well. */
export function watchRecords(
  database: Database,
  { intervalMs = 1_000, state }: WatchRecordsOptions = {},
): RecordChanges {
  const listeners = new Map<Announced, Set<() => void | Promise<void>>>()
  const known = new Map<string, string>()
  const stops: (() => void)[] = []
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
      for (const listener of listeners.get(kind as Announced) ?? []) {
        if (!isClosed) void listener()
      }
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
      if (!listeners.has(kind) && state?.isShared) {
        // If it fails, asking the database is enough.
        const stopping = onAnnounced(state, kind, () => void check()).catch(() => () => {})
        void stopping.then((stop) => (isClosed ? stop() : stops.push(stop)))
      }
      listeners.set(kind, all.add(listener))
      return () => void all.delete(listener)
    },
    announce(kind) {
      if (state?.isShared) void announce(state, kind)
      else void check()
    },
    check,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const stop of stops.splice(0)) stop()
    },
  }
}
