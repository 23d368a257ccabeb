import { setImmediate } from 'node:timers/promises'
import type { ToolSearch } from 'toolsearch'
import { evaluate } from 'toolsearch/evaluation'
import type { SavedReport } from './api.ts'
import { isServed } from './is-served.ts'
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
  const { queries, problems } = await saved.read()
  const { all, results } = await evaluate(search, queries)
  return {
    file: saved.file,
    ranker,
    ...(all.scores && { recallAt1: all.scores.recallAt1, recallAt5: all.scores.recallAt5 }),
    ...(all.unserved > 0 && { abstained: all.abstained! }),
    queries: results.map((result) => ({
      query: result.query.query,
      relevant: result.query.relevant,
      unknown: result.query.relevant.filter((name) => !toolSearch.catalogue.has(name)),
      found: result.found.slice(0, SHOWN),
      isServed: isServed(result),
    })),
    problems,
  }
}
