import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { createToolSearch, type ToolSearchOptions } from 'toolsearch'
import { createEngineSearch } from 'toolsearch/engines'
import { evaluate } from 'toolsearch/evaluation'
import { type PostgresEngine, postgresEngine } from 'toolsearch/postgres'
import { hybridRanker } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import type { RetrievalSet } from '../retrieval/retrieval-set.ts'
import { median } from '../statistics.ts'
import type { RecallRow } from './engine-report.ts'

const LIMIT = 5

export interface RecallOptions {
  readonly candidates: number
  /** At most this many queries of a set. */
  readonly queries: number
  /** The URL of an empty database. */
  freshDatabase(): Promise<string>
}

/** Compares a search in memory with one over PostgreSQL, and with one over pgvector. */
export async function measureRecall(
  set: RetrievalSet,
  options: RecallOptions,
): Promise<readonly RecallRow[]> {
  const pool = new pg.Pool({ connectionString: await options.freshDatabase() })
  // The server may end before an idle connection has noticed that it is no longer needed.
  pool.on('error', () => {})
  const lite = new PGlite({ extensions: { vector, pg_trgm } })
  const vectors = loadStaticEmbedder()
  try {
    const keywords = postgresEngine({ pool })
    const meanings = postgresEngine({ pool: lite, vectors })
    return [
      { ...(await compare(set, keywords, {}, options)), ranker: 'fielded', engine: 'PostgreSQL' },
      {
        ...(await compare(set, meanings, { ranker: () => hybridRanker({ vectors }) }, options)),
        ranker: 'hybrid',
        engine: 'PGlite with pgvector',
      },
    ]
  } finally {
    await pool.end()
    await lite.close()
  }
}

async function compare(
  { name, tools, queries }: RetrievalSet,
  engine: PostgresEngine,
  overrides: ToolSearchOptions,
  { candidates, queries: most }: RecallOptions,
): Promise<Omit<RecallRow, 'ranker' | 'engine'>> {
  const step = Math.ceil(queries.length / most)
  const sample = queries.filter((_, at) => at % step === 0)
  await engine.put(tools)
  const inMemory = createToolSearch({ tools, ...overrides })
  const overEngine = createEngineSearch({ engine, candidates, ...overrides })
  const before: (readonly string[])[] = []
  const after: (readonly string[])[] = []
  const times: number[] = []
  for (const { query } of sample) {
    before.push(namesIn(inMemory.search(query, { limit: LIMIT })))
    const start = performance.now()
    after.push(namesIn(await overEngine.search(query, { limit: LIMIT })))
    times.push(performance.now() - start)
  }
  const recall = async (names: readonly (readonly string[])[]) => {
    let at = 0
    const evaluation = await evaluate(() => names[at++]!, sample, { limit: LIMIT })
    return evaluation.all.scores?.recallAt5 ?? 0
  }
  const same = before.filter((names, at) => names.join() === after[at]!.join()).length
  return {
    set: name,
    tools: tools.length,
    queries: sample.length,
    inMemory: await recall(before),
    overEngine: await recall(after),
    same: same / sample.length,
    p50Ms: median(times),
  }
}

interface Outcome {
  readonly hits: readonly { readonly tool: { readonly name: string } }[]
  readonly candidates: Outcome['hits']
}

function namesIn({ hits, candidates }: Outcome): string[] {
  return [...hits, ...candidates].map(({ tool }) => tool.name)
}
