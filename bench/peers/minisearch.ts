import MiniSearch from 'minisearch'
import type { Rank } from '../retrieval/contender.ts'
import { rankBySearch } from '../retrieval/rank-by-search.ts'
import { type ToolDocument, toolDocument } from './tool-document.ts'

/** MiniSearch with a boost for names, and with the prefix and fuzzy search of its README. */
export const rank: Rank = rankBySearch((tools, limit) => {
  const index = new MiniSearch<ToolDocument>({
    fields: ['name', 'description', 'parameters'],
    searchOptions: { boost: { name: 3 }, prefix: true, fuzzy: 0.2 },
  })
  index.addAll(tools.map(toolDocument))
  return (query) => ({
    names: index
      .search(query)
      .slice(0, limit)
      .map(({ id }) => id),
  })
})
