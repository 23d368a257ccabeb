import { setImmediate } from 'node:timers/promises'
import type { ToolSearch } from 'toolsearch'
import {
  type Evaluation,
  type EvaluationQuery,
  evaluate,
  isDoubted,
  type QueryResult,
} from 'toolsearch/evaluation'
import type { SavedReport } from './api.ts'
import type { SavedQueries } from './saved-queries.ts'

const SHOWN = 5

/** Runs queries with known answers. The page and `toolsearch eval` both use it. */
export function evaluateQueries(
  toolSearch: ToolSearch,
  queries: readonly EvaluationQuery[],
): Promise<Evaluation> {
  return evaluate(async (query, limit) => {
    // Hundreds of searches take a while: let the calls of agents run in between.
    await setImmediate()
    const { hits, candidates, confidence } = toolSearch.search(query, { limit })
    return { names: [...hits, ...candidates].map(({ tool }) => tool.name), confidence }
  }, queries)
}

/** Whether all relevant tools are in the first five results; without relevant tools, whether it is doubted. */
export function isServed(result: QueryResult): boolean {
  return result.scores ? result.scores.recallAt5 === 1 : isDoubted(result)
}

/** Reports how well a search performs on the saved queries. */
export async function savedReport(
  saved: SavedQueries,
  { ranker, toolSearch }: { readonly ranker: string; readonly toolSearch: ToolSearch },
): Promise<SavedReport> {
  const { queries, problems } = await saved.read()
  const { all, results } = await evaluateQueries(toolSearch, queries)
  return {
    file: saved.file,
    ranker,
    ...(all.scores && { recallAt1: all.scores.recallAt1, recallAt5: all.scores.recallAt5 }),
    ...(all.unserved > 0 && { doubted: all.doubted! }),
    queries: results.map((result) => ({
      query: result.query.query,
      relevant: result.query.relevant,
      unknown: result.query.relevant.filter((name) => !toolSearch.catalogue.has(name)),
      found: result.found.slice(0, SHOWN),
      ...(result.confidence && { confidence: result.confidence }),
      isServed: isServed(result),
    })),
    problems,
  }
}
