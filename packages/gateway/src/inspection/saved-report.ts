import { setImmediate } from 'node:timers/promises'
import type { ToolSearch } from 'toolsearch'
import { evaluate } from 'toolsearch/evaluation'
import type { SavedReport } from './api.ts'
import type { SavedQueries } from './saved-queries.ts'

const SHOWN = 5

/** How well a search serves the saved queries. */
export async function savedReport(
  saved: SavedQueries,
  { ranker, toolSearch }: { readonly ranker: string; readonly toolSearch: ToolSearch },
): Promise<SavedReport> {
  const search = async (query: string, limit: number) => {
    // hundreds of searches take a while, and calls of agents have their turn in between
    await setImmediate()
    return toolSearch.search(query, { limit }).hits.map(({ tool }) => tool.name)
  }
  const { all, results } = await evaluate(search, await saved.read())
  return {
    file: saved.file,
    ranker,
    ...(all.scores && { recallAt1: all.scores.recallAt1, recallAt5: all.scores.recallAt5 }),
    ...(all.unserved > 0 && { abstained: all.abstained! }),
    queries: results.map(({ query: { query, relevant }, found, scores }) => ({
      query,
      relevant,
      found: found.slice(0, SHOWN),
      isServed: scores ? scores.recallAt5 === 1 : found.length === 0,
    })),
  }
}
