import { fieldedRanker, hybridRanker, type Ranker } from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { type Engine, LIMIT } from './engine.ts'

/** Our index alone: what the peers are to be compared with. */
export const rankerEngine: Engine = engineOf('ranker', () => fieldedRanker())

/** The same with semantic similarity, which no peer here has. */
export const hybridEngine: Engine = engineOf('hybrid', () =>
  hybridRanker({ vectors: loadStaticEmbedder() }),
)

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
