import { createToolSearch, fieldedRanker, hybridRanker, type Ranker } from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { type Engine, LIMIT } from './engine.ts'

/** Our index alone: the one to compare with the peers. */
export const rankerEngine: Engine = engineOf('ranker', () => fieldedRanker())

/** The same with semantic similarity, which none of the peers has. */
export const hybridEngine: Engine = engineOf('hybrid', () =>
  hybridRanker({ vectors: loadStaticEmbedder() }),
)

/** The whole library: validates definitions, finds exact names, drops weak results, may abstain. */
export const toolsearchEngine: Engine = {
  name: 'toolsearch',
  side: 'ours',
  build(tools) {
    const toolSearch = createToolSearch({ tools })
    return {
      add: (tool) => toolSearch.catalogue.add(tool),
      remove: (tool) => toolSearch.catalogue.remove(tool.name),
      search: (query) =>
        toolSearch.search(query, { limit: LIMIT }).hits.map(({ tool }) => tool.name),
    }
  },
}

function engineOf(name: string, createRanker: () => Ranker): Engine {
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
