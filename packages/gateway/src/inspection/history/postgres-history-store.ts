import { sql } from 'kysely'
import type { Database } from '../../state/database.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import type { HistoryEntry } from './history-entry.ts'
import type { HistoryBounds, HistoryStore, HistoryStoreOptions } from './history-store.ts'
import { isHistoryEntry } from './is-history-entry.ts'

const DAY_MS = 86_400_000
const MEGABYTE = 1_000_000
/** Beyond that, entries are dropped. */
const MAX_WAITING = 20_000
const BATCH = 500
/** When to store entries again that could not be stored. */
const RETRY_MS = 1_000

/** Keeps the history of all replicas in PostgreSQL. */
export function createPostgresHistoryStore(
  database: Database,
  {
    bounds = () => ({ days: 30, megabytes: 50 }),
    batchMs = 250,
    now = Date.now,
  }: HistoryStoreOptions = {},
): HistoryStore {
  const writes = createSerialQueue()
  let waiting: HistoryEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let isWorking = true
  let cleanedDay = 0
  let bytesSinceCleaning = 0

  function plan(delayMs: number): void {
    timer ??= setTimeout(() => void writes.run(write), delayMs).unref()
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH)
        bytesSinceCleaning += await insert(database, batch)
        waiting = waiting.slice(batch.length)
        isWorking = true
      }
      // After a failed read, there may be nothing to write.
      isWorking ||= await database.isAvailable()
      if (isWorking) await cleanIfDue()
      else plan(RETRY_MS)
    } catch {
      // Recording must never crash the gateway.
      isWorking = false
      plan(RETRY_MS)
    }
  }

  async function cleanIfDue(): Promise<void> {
    const day = Math.floor(now() / DAY_MS)
    const limits = bounds()
    const isDue = day !== cleanedDay || bytesSinceCleaning > (limits.megabytes * MEGABYTE) / 20
    if (!isDue) return
    await clean(database, limits, now())
    cleanedDay = day
    bytesSinceCleaning = 0
  }

  const store: HistoryStore = {
    folder: 'PostgreSQL',
    isShared: true,
    append(entry) {
      if (waiting.length >= MAX_WAITING) return
      waiting.push(entry)
      plan(batchMs)
    },
    async read(period) {
      await store.flush()
      const [since, until] = [dateOf(period.since), dateOf(period.until)]
      try {
        const rows = await database.run((queries) =>
          queries
            .selectFrom('toolsearch_history')
            .select('entry')
            .where('at', '>=', since)
            .where('at', '<', until)
            .orderBy('id')
            .execute(),
        )
        return rows.map(({ entry }) => entry).filter(isHistoryEntry)
      } catch {
        isWorking = false
        plan(RETRY_MS)
        return []
      }
    },
    flush: () => writes.run(write),
    get isWorking() {
      return isWorking
    },
  }
  return store
}

/** Resolves to the number of bytes. */
async function insert(database: Database, batch: readonly HistoryEntry[]): Promise<number> {
  const values = batch.map((entry) => {
    const text = JSON.stringify(entry)
    return { id: entry.id, at: entry.at, bytes: Buffer.byteLength(text), entry: text }
  })
  await database.run((queries) =>
    queries
      .insertInto('toolsearch_history')
      .values(values)
      // It may have been stored although the connection broke before the answer arrived.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  )
  return values.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function clean(
  database: Database,
  { days, megabytes }: HistoryBounds,
  now: number,
): Promise<void> {
  // Like the files: whole days.
  const oldest = new Date(Math.floor(now / DAY_MS - days) * DAY_MS)
  await database.run(async (queries) => {
    await queries.deleteFrom('toolsearch_history').where('at', '<', oldest).execute()
    await sql`
      delete from toolsearch_history where id <= (
        select id from (
          select id, sum(bytes) over (order by id desc) as total from toolsearch_history
        ) as totals
        where total > ${megabytes * MEGABYTE} order by id desc limit 1
      )
    `.execute(queries)
  })
}

/** Within the range of both JavaScript and PostgreSQL. */
function dateOf(time: number): Date {
  return new Date(Math.min(Math.max(time, 0), Date.UTC(9999, 11, 31)))
}
