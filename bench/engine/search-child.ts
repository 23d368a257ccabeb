import pg from 'pg'
import { createEngineSearch } from 'toolsearch/engines'
import { postgresEngine } from 'toolsearch/postgres'

/** A replica: a fresh process that only searches. */
export interface SearchTask {
  readonly url: string
  readonly candidates: number
  /** Not timed. */
  readonly warmUp: readonly string[]
  readonly queries: readonly string[]
}

export interface SearchResult {
  readonly ms: readonly number[]
  /** The first result of each query. */
  readonly first: readonly (string | undefined)[]
  readonly emptyMegabytes: number
  readonly rssMegabytes: number
  readonly heapMegabytes: number
}

process.once('message', async ({ url, candidates, warmUp, queries }: SearchTask) => {
  const pool = new pg.Pool({ connectionString: url })
  const search = createEngineSearch({ engine: postgresEngine({ pool }), candidates })
  const { rss: empty } = memory()
  for (const query of warmUp) await search.search(query)
  const ms: number[] = []
  const first: (string | undefined)[] = []
  for (const query of queries) {
    const start = performance.now()
    const { hits, candidates } = await search.search(query)
    ms.push(performance.now() - start)
    first.push((hits[0] ?? candidates[0])?.tool.name)
  }
  const { rss, heap } = memory()
  const result: SearchResult = {
    ms,
    first,
    emptyMegabytes: empty,
    rssMegabytes: rss,
    heapMegabytes: heap,
  }
  process.send!(result, async () => {
    await pool.end()
    process.exit()
  })
})

function memory(): { rss: number; heap: number } {
  global.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}
