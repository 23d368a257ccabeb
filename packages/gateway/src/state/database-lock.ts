import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { DatabaseUnavailableError } from './database-error.ts'

export interface DatabaseLock {
  /** Aborted when the lock is lost: the task must not write anything afterwards. */
  readonly signal: AbortSignal
  /** Increases with every lock of this name, so that late writes can be refused. */
  readonly fence: number
}

export interface DatabaseLockOptions {
  /** How long a process that has stopped or is frozen holds the lock. @default 15_000 */
  readonly leaseMs?: number
  /** How long to wait for the lock. @default 60_000 */
  readonly timeoutMs?: number
}

const RETRY_MS = 50

/**
 * Runs one task at a time across all replicas. The lock is a row with a lease, not an advisory lock,
 * which would occupy a connection, and which a frozen process would hold forever. Only the clock of
 * PostgreSQL counts.
 */
export async function withDatabaseLock<Result>(
  database: Database,
  name: string,
  task: (lock: DatabaseLock) => Promise<Result>,
  { leaseMs = 15_000, timeoutMs = 60_000 }: DatabaseLockOptions = {},
): Promise<Result> {
  const holder = randomUUID()
  const fence = await acquire(database, { name, holder, leaseMs, timeoutMs })
  const lost = new AbortController()
  let heldUntil = performance.now() + leaseMs
  const renewal = setInterval(async () => {
    const startedAt = performance.now()
    const isHeld = await renew(database, { name, holder, leaseMs }).catch(() => undefined)
    if (isHeld) heldUntil = startedAt + leaseMs
    else if (isHeld === false || performance.now() > heldUntil) lost.abort()
  }, leaseMs / 4).unref()
  try {
    return await task({ signal: lost.signal, fence })
  } finally {
    clearInterval(renewal)
    // If it fails, the lease ends soon.
    await release(database, { name, holder }).catch(() => {})
  }
}

interface Claim {
  readonly name: string
  readonly holder: string
  readonly leaseMs: number
}

async function acquire(
  database: Database,
  { name, holder, leaseMs, timeoutMs }: Claim & { timeoutMs: number },
): Promise<number> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const row = await database.run((queries) =>
      queries
        .insertInto('toolsearch_locks')
        .values({ name, holder, fence: 1, expires_at: inMs(leaseMs) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({
              holder,
              fence: sql`toolsearch_locks.fence + 1`,
              expires_at: inMs(leaseMs),
            })
            .where('toolsearch_locks.expires_at', '<=', inMs(0)),
        )
        .returning('fence')
        .executeTakeFirst(),
    )
    if (row) return Number(row.fence)
    if (performance.now() > deadline) {
      throw new DatabaseUnavailableError('Another replica holds a lock for too long.')
    }
    await wait(RETRY_MS)
  }
}

async function renew(database: Database, { name, holder, leaseMs }: Claim): Promise<boolean> {
  const { numUpdatedRows } = await database.run((queries) =>
    queries
      .updateTable('toolsearch_locks')
      .set({ expires_at: inMs(leaseMs) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('expires_at', '>', inMs(0))
      .executeTakeFirst(),
  )
  return numUpdatedRows > 0n
}

/** The row stays, because its fence must increase. */
async function release(
  database: Database,
  { name, holder }: Omit<Claim, 'leaseMs'>,
): Promise<void> {
  await database.run((queries) =>
    queries
      .updateTable('toolsearch_locks')
      .set({ expires_at: inMs(0) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute(),
  )
}

function inMs(milliseconds: number) {
  return sql<Date>`clock_timestamp() + ${milliseconds} * interval '1 millisecond'`
}
