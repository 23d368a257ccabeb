import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type PostgresEngine, postgresEngine } from 'toolsearch/postgres'
import { requestSet } from '../evaluation/request-set.ts'
import { quantile } from '../statistics.ts'
import type { ScaleFigures, SearchFigures, Times } from './engine-report.ts'
import { createMarketplace, type Marketplace } from './generate-tools.ts'
import type { SearchResult, SearchTask } from './search-child.ts'

const BATCH = 5_000
const CHANGES = 50
const SERVER_TOOLS = 30

export interface ScaleOptions {
  readonly tools: number
  readonly candidates: number
  /** How many queries of each kind. */
  readonly queries: number
  readonly url: string
  report(step: string): void
}

/** Builds a marketplace in PostgreSQL, changes it, and searches it from a fresh process. */
export async function measureScale(options: ScaleOptions): Promise<ScaleFigures> {
  const { tools, url, report } = options
  const { tools: samples, queries } = requestSet()
  const marketplace = createMarketplace(samples)
  const pool = new pg.Pool({ connectionString: url })
  // The server may end before an idle connection has noticed that it is no longer needed.
  pool.on('error', () => {})
  try {
    const engine = postgresEngine({ pool })
    const buildSeconds = await build(engine, marketplace, options)
    report('VACUUM ANALYZE, as autovacuum would do it')
    await pool.query('VACUUM ANALYZE')
    report('add and sync')
    const added = marketplace.tools(tools, tools + CHANGES)
    const addMs = await timed(added, (tool) => engine.put([tool]))
    const servers = Array.from({ length: CHANGES / 2 }, (_, at) => at)
    const syncMs = await timed(servers, (at) =>
      engine.sync(
        `mcp:synced${at}`,
        marketplace
          .tools(tools, tools + SERVER_TOOLS)
          .map((tool) => ({ ...tool, name: `synced${at}__${tool.name}`.slice(0, 128) })),
      ),
    )
    const texts = queries.map(({ query }) => query)
    const { search, ...replica } = await measureSearches(marketplace, texts, options)
    const counted = await pool.query(
      `SELECT (SELECT sum(tools)::int FROM toolsearch_sources) AS tools,
        (SELECT count(*)::int FROM toolsearch_sources) AS sources,
        pg_database_size(current_database())::float8 AS size`,
    )
    const { tools: stored, sources, size } = counted.rows[0]
    const databaseGigabytes = size / 2 ** 30
    return {
      tools: stored,
      sources,
      buildSeconds,
      databaseGigabytes,
      addMs,
      syncMs,
      search,
      replica,
    }
  } finally {
    await pool.end()
  }
}

async function build(
  engine: PostgresEngine,
  marketplace: Marketplace,
  { tools, report }: ScaleOptions,
): Promise<number> {
  const start = performance.now()
  let next = 0
  const write = async () => {
    while (next < tools) {
      const at = next
      next += BATCH
      await engine.put(marketplace.tools(at, Math.min(at + BATCH, tools)))
      if (at % (BATCH * 10) !== 0) continue
      const rate = (at + BATCH) / ((performance.now() - start) / 1000)
      report(`${at + BATCH} of ${tools} tools, ${rate.toFixed(0)} per second`)
    }
  }
  // While one batch is being written, this process reads the next.
  await Promise.all([write(), write()])
  return (performance.now() - start) / 1000
}

async function measureSearches(
  marketplace: Marketplace,
  texts: readonly string[],
  { tools, candidates, queries: most, url, report }: ScaleOptions,
): Promise<{ search: readonly SearchFigures[] } & ScaleFigures['replica']> {
  const spread = (count: number, at: number) => Math.floor((tools / count) * at) % tools
  const chosen = Array.from({ length: most }, (_, at) => spread(most, at))
  const kinds = [
    { kind: 'requests of people and agents', queries: evenly(texts, most) },
    {
      kind: 'requests that name a product',
      queries: chosen.map(
        (at, index) =>
          `${evenly(texts, most)[index % texts.length]} in ${marketplace.productOf(at)}`,
      ),
    },
    {
      kind: 'names of tools',
      queries: chosen.map((at) => marketplace.tools(at, at + 1)[0]!.name),
      expected: chosen.map((at) => marketplace.tools(at, at + 1)[0]!.name),
    },
  ]
  report(`search: ${kinds.map(({ queries }) => queries.length).join(' + ')} queries`)
  const warmUp = evenly(texts, 20)
  const queries = kinds.flatMap((each) => each.queries)
  const result = await runSearches({ url, candidates, warmUp, queries })
  let from = 0
  const search = kinds.map(({ kind, queries, expected }) => {
    const ms = result.ms.slice(from, from + queries.length)
    const first = result.first.slice(from, from + queries.length)
    from += queries.length
    const right = expected && first.filter((name, at) => name === expected[at]).length
    return {
      kind,
      queries: queries.length,
      ms: timesOf(ms),
      ...(right !== undefined && { found: right / queries.length }),
    }
  })
  const { emptyMegabytes, rssMegabytes, heapMegabytes } = result
  return { search, emptyMegabytes, rssMegabytes, heapMegabytes }
}

function runSearches(task: SearchTask): Promise<SearchResult> {
  const file = fileURLToPath(new URL('search-child.ts', import.meta.url))
  const child = fork(file, { execArgv: [...process.execArgv, '--expose-gc'] })
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as SearchResult))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The searching process exited with ${code}.`)))
    child.send(task)
  })
}

async function timed<Value>(
  values: readonly Value[],
  work: (value: Value) => Promise<unknown>,
): Promise<Times> {
  const ms: number[] = []
  for (const value of values) {
    const start = performance.now()
    await work(value)
    ms.push(performance.now() - start)
  }
  return timesOf(ms)
}

function timesOf(ms: readonly number[]): Times {
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) }
}

function evenly(texts: readonly string[], most: number): string[] {
  const step = Math.max(1, Math.floor(texts.length / most))
  return texts.filter((_, at) => at % step === 0).slice(0, most)
}
