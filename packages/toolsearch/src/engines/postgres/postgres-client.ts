/** Sends SQL. Clients of `pg` and PGlite have this method. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** A pool of `pg`, or another one with the same methods. */
export interface PostgresPool extends PostgresClient {
  connect(): Promise<PooledClient>
}

export interface PooledClient extends PostgresClient {
  /** With `true`, the connection is closed instead of being reused. */
  release(destroy?: boolean): void
}

/** A database with one connection, such as PGlite. */
export interface PostgresDatabase extends PostgresClient {
  transaction<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result>
}

/** Runs the work in one transaction. */
export function inTransaction<Result>(
  pool: PostgresPool | PostgresDatabase,
  work: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  return 'transaction' in pool
    ? (pool.transaction(work) as Promise<Result>)
    : withConnection(pool, work)
}

async function withConnection<Result>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // If even this fails, the connection is lost, and with it the transaction.
    await client.query('ROLLBACK').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}
