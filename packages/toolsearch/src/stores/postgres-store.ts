import { createHash, randomUUID } from 'node:crypto'
import {
  type Check,
  callback,
  check,
  complete,
  count,
  name,
  number,
} from '../options/check-option.ts'
import { createTableOnce, type PostgresStorePool, quotedName } from './postgres-table.ts'
import { createSerialQueue } from './serial-queue.ts'
import type { SessionRecord } from './session-record.ts'
import { readSnapshot, type SessionSnapshot } from './session-snapshot.ts'
import type { SessionStore } from './session-store.ts'

export interface PostgresStoreOptions {
  pool: PostgresStorePool
  /**
   * Created if it does not exist. May contain a schema, as in `agents.sessions`.
   * @default 'toolsearch_sessions'
   */
  table?: string
  /**
   * Maximum number of conversations. Beyond that, the least recently used 10% are deleted.
   * @default Infinity
   */
  maxSessions?: number
  /**
   * Delete a conversation that was not used for this many milliseconds.
   * @default 30 days
   */
  idleMs?: number
  /**
   * Called when a record cannot be read and its session starts empty. Must not throw.
   * @default console.warn
   */
  onWarning?: (message: string) => void
}

const checkStoreOptions = complete(
  {
    pool: check(
      (value) => typeof (value as PostgresStorePool | undefined)?.query === 'function',
      'pass a pool of pg',
    ),
    table: name,
    maxSessions: count(1),
    idleMs: number(1),
    onWarning: callback,
  } satisfies Record<keyof PostgresStoreOptions, Check>,
  ['table', 'maxSessions', 'idleMs', 'onWarning'],
)

/** How exact the time of use is, so that reading does not always write. */
const USE_MS = 60_000
/** How often a process looks for idle conversations. */
const CLEANING_MS = 60_000
/** A century. The times of a database end at some point. */
const FOREVER_MS = 3e12
const DEADLOCK = '40P01'

/**
 * Stores conversations in a table of PostgreSQL, which any number of processes can share. Each update is
 * atomic: it replaces the revision that it was made from, and starts over if another process was faster.
 *
 * @throws InvalidOptionError
 *
 * @example
 * const pool = new Pool({ connectionString: 'postgres://localhost/agents' })
 * const toolSearch = createToolSearch({ tools, store: postgresStore({ pool }) })
 */
export function postgresStore(options: PostgresStoreOptions): SessionStore {
  checkStoreOptions(options, 'options')
  const { pool, table: tableName = 'toolsearch_sessions', onWarning = console.warn } = options
  const { maxSessions = Number.POSITIVE_INFINITY, idleMs = 30 * 24 * 3_600_000 } = options
  const table = quotedName(tableName)
  const enqueue = createSerialQueue()
  const created = createTableOnce(
    pool,
    table,
    `key text primary key, revision text not null, session text not null,
     used_at timestamptz not null, unique (used_at, key)`,
  )
  let cleanedAt = 0

  // The clock of the database decides, because those of processes differ.
  const isAlive = idleMs > FOREVER_MS ? 'true' : `used_at >= now() - ${milliseconds(idleMs)}`
  const isUsedLongAgo = `used_at < now() - ${milliseconds(Math.min(USE_MS, idleMs / 10))}`

  async function query<Row>(text: string, values: unknown[]): Promise<readonly Row[]> {
    await created()
    return (await pool.query(text, values)).rows as readonly Row[]
  }

  async function read(id: string): Promise<{ revision?: string; record?: SessionRecord }> {
    const [row] = await query<{ revision: string; session: string }>(
      `with used as (
         update ${table} set used_at = now() where key = $1 and ${isAlive} and ${isUsedLongAgo}
       )
       select revision, session from ${table} where key = $1 and ${isAlive}`,
      [keyOf(id)],
    )
    if (row === undefined) return {}
    const { revision, session } = row
    try {
      return { revision, record: readSnapshot(JSON.parse(session)).record }
    } catch (error) {
      const { message } = error as Error
      onWarning(`toolsearch: cannot read session "${id}", so it starts empty (${message}).`)
      return { revision }
    }
  }

  /** Resolves to whether the revision was still the stored one. */
  async function write(id: string, revision: string | undefined, json: string): Promise<boolean> {
    const values = [keyOf(id), randomUUID(), json]
    if (revision !== undefined) {
      const rows = await query(
        `update ${table} set revision = $2, session = $3, used_at = now()
         where key = $1 and revision = $4 returning 1`,
        [...values, revision],
      )
      return rows.length > 0
    }
    const rows = await query(
      `insert into ${table} as stored (key, revision, session, used_at) values ($1, $2, $3, now())
       on conflict (key) do update
       set revision = excluded.revision, session = excluded.session, used_at = excluded.used_at
       where not (${isAlive.replace('used_at', 'stored.used_at')}) returning 1`,
      values,
    )
    if (rows.length > 0) await clean(values[0]!)
    return rows.length > 0
  }

  async function update(
    id: string,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    for (;;) {
      const { revision, record: before } = await read(id)
      const after = change(before)
      if (after === before || after === undefined) return before
      const snapshot: SessionSnapshot = { version: 2, id, record: after }
      const json = JSON.stringify(snapshot)
      if (await write(id, revision, json)) return readSnapshot(JSON.parse(json)).record
    }
  }

  /** Deletes what exceeds the limits, but never the session that was just written. */
  async function clean(written: string): Promise<void> {
    if (isAlive !== 'true' && Date.now() - cleanedAt > CLEANING_MS) {
      cleanedAt = Date.now()
      await query(`delete from ${table} where not (${isAlive})`, [])
    }
    if (maxSessions === Number.POSITIVE_INFINITY) return
    // 10% at once, so that a full store does not delete with every new session
    const deleting = query(
      `delete from ${table} where key <> $1 and key in (
         select key from ${table} order by used_at desc, key
         offset case when (select count(*) from ${table}) > $2 then $3 else $2 end
       )`,
      [written, maxSessions, maxSessions - Math.floor(maxSessions / 10)],
    )
    await deleting.catch((error: { code?: string }) => {
      // another process deletes the same sessions
      if (error.code === DEADLOCK) return clean(written)
      throw error
    })
  }

  return {
    read: async (id) => (await read(id)).record,
    // one after another, so that the updates of this process do not have to start over
    update: (id, change) => enqueue(id, () => update(id, change)),
    async forget(id) {
      await query(`delete from ${table} where key = $1`, [keyOf(id)])
    },
  }
}

/** A hash, because an id can have any length and any characters. */
function keyOf(id: string): string {
  return createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex')
}

function milliseconds(value: number): string {
  return `${value} * interval '1 millisecond'`
}
