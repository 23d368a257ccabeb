import { createToolSearch, type ToolSearchOptions } from 'toolsearch'
import { fieldedRanker, hybridRanker, type Ranker } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { type Engine, LIMIT } from './engine.ts'

/** Our index alone: the one to compare with the peers. */
export const rankerEngine: Engine = rankerEngineOf('ranker', () => fieldedRanker())

/** The same with semantic similarity, which none of the peers has. */
export const hybridEngine: Engine = rankerEngineOf('hybrid', () =>
  hybridRanker({ vectors: loadStaticEmbedder() }),
)

/** The whole library: it validates definitions, finds exact names and drops weak results. */
export const toolsearchEngine: Engine = libraryEngine('toolsearch', {})

/** The whole library with semantic similarity. */
export const semanticEngine: Engine = libraryEngine('semantics', {
  ranker: () => hybridRanker({ vectors: loadStaticEmbedder() }),
})

/** An explained search returns five hits and five near misses, all with reasons. */
const EXPLAINED = 5

function libraryEngine(name: string, options: ToolSearchOptions): Engine {
  return {
    name,
    side: 'ours',
    build(tools) {
      const toolSearch = createToolSearch({ ...options, tools })
      return {
        add: (tool) => toolSearch.catalogue.add(tool),
        remove: (tool) => toolSearch.catalogue.remove(tool.name),
        search(query) {
          const { hits, candidates } = toolSearch.search(query, { limit: LIMIT })
          return [...hits, ...candidates].map(({ tool }) => tool.name)
        },
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

function rankerEngineOf(name: string, createRanker: () => Ranker): Engine {
  return {
    name,
    side: 'ours',
    build(tools) {
      const ranker = createRanker()
      for (const tool of tools) ranker.set(tool)
      return {
        add: (tool) => ranker.set(tool),
        remove: (tool) => ranker.delete(tool.name),
        search(text) {
          const query = parseQuery(text)
          if (query.kind !== 'words') return []
          const { hits } = ranker.rank(query, { limit: LIMIT, ties: 'name' })
          return hits.map(({ tool }) => tool.name)
        },
      }
    },
  }
}
