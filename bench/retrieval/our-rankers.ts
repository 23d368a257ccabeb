import { createToolSearch, type Ranker } from 'toolsearch'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import type { Rank } from './contender.ts'
import { rankBySearch } from './rank-by-search.ts'

/** The whole search, as users have it: exact names, score band and abstention. */
export const rankAsShipped: Rank = rankBySearch((tools, limit) => {
  const toolSearch = createToolSearch({ tools })
  return (query) => ({
    names: toolSearch.search(query, { limit }).hits.map(({ tool }) => tool.name),
  })
})

/** A ranker alone: every query is plain words, and ties keep catalogue order. */
export function rankAlone(createRanker: () => Ranker): Rank {
  return rankBySearch((definitions, limit) => {
    const ranker = createRanker()
    for (const tool of createCatalogue(definitions).tools()) ranker.set(tool)
    return (text) => {
      const query = parseQuery(text, { select: false, required: false })
      if (query.kind !== 'words') return { names: [] }
      const { hits } = ranker.rank(query, { limit, ties: 'catalogue' })
      return { names: hits.map(({ tool }) => tool.name) }
    }
  })
}
