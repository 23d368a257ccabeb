import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { PoolClient } from 'pg'
import { DatabaseUnavailableError, isAnswer } from './database-error.ts'

export interface DatabasePoolOptions {
  /** How many connections a replica opens at most. @default 10 */
  readonly connections?: number
  /** @default 3_000 */
  readonly connectTimeoutMs?: number
  /** How long a statement may take. 0 for any time. @default 5_000 */
  readonly statementTimeoutMs?: number
}

/** Requests beyond that fail at once instead of waiting for a connection. */
const MAX_WAITING = 1_000
/** After a connection has failed, requests fail at once for this long, instead of waiting as well. */
const PAUSE_MS = 500
/** How much later than PostgreSQL itself we give up, in case it does not answer at all. */
const GRACE_MS = 1_000

/** Connections to PostgreSQL, each of which is closed if it stops to answer. */
export async function openDatabasePool(
  url: string,
  {
    connections = 10,
    connectTimeoutMs = 3_000,
    statementTimeoutMs = 5_000,
  }: DatabasePoolOptions = {},
): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'toolsearch',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS,
      lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
      // A frozen replica must not hold its locks forever.
      idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    }),
  })
  let pausedUntil = 0
  const pause = () => {
    pausedUntil = Date.now() + PAUSE_MS
  }
  // A connection has ended while nothing was asked. The next query on it fails, if there is one.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    async connect() {
      if (Date.now() < pausedUntil) {
        throw new DatabaseUnavailableError('It could not be reached a moment ago.')
      }
      if (pool.waitingCount >= MAX_WAITING) {
        throw new DatabaseUnavailableError('Too many requests wait for a connection.')
      }
      let client: PoolClient
      try {
        client = await pool.connect()
      } catch (error) {
        const isBusy = pool.totalCount >= connections
        if (!isBusy) pause()
        throw error
      }
      return guard(client, pause)
    },
    end: () => pool.end(),
  }
}

/** A connection that is closed instead of being used again after it has failed. */
function guard(client: PoolClient, onSilence: () => void): PostgresPoolClient {
  let failure: unknown
  const guarded = {
    async query(text: string, values: readonly unknown[]) {
      // Also the rollback, which would wait for the same silence.
      if (failure !== undefined) throw failure
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (!isAnswer(error)) {
          failure = error
          if ((error as Error).message === 'Query read timeout') onSilence()
        }
        throw error
      }
    },
    release: () => client.release(failure !== undefined),
  }
  return guarded as unknown as PostgresPoolClient
}
