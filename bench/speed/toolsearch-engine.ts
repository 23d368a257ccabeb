import { createToolSearch, hybridRanker } from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { type Engine, LIMIT } from './engine.ts'

/** The whole path: definitions are checked, and a search selects, cuts and may abstain. */
export const toolsearchEngine: Engine = engineOf('toolsearch', {})

/** The whole path with semantic similarity. */
export const semanticEngine: Engine = engineOf('semantics', {
  ranker: () => hybridRanker({ vectors: loadStaticEmbedder() }),
})

/** An explained search returns five hits and five near misses, all with reasons. */
const EXPLAINED = 5

function engineOf(name: string, options: Parameters<typeof createToolSearch>[0]): Engine {
  return {
    name,
    side: 'ours',
    build(tools) {
      const toolSearch = createToolSearch({ ...options, tools })
      return {
        add: (tool) => toolSearch.catalogue.add(tool),
        remove: (tool) => toolSearch.catalogue.remove(tool.name),
        search: (query) =>
          toolSearch.search(query, { limit: LIMIT }).hits.map(({ tool }) => tool.name),
        plainSearch: (query) => toolSearch.search(query, { limit: EXPLAINED }).hits.length,
        explainedSearch(query) {
          const options = { limit: EXPLAINED, explain: true, nearMisses: EXPLAINED }
          const { hits, nearMisses = [] } = toolSearch.search(query, options)
          return hits.length + nearMisses.length
        },
      }
    },
  }
}
