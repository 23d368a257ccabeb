import { fieldedRanker } from 'toolsearch'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { type Engine, LIMIT } from './engine.ts'

/** Our index alone: what the peers are to be compared with. */
export const rankerEngine: Engine = {
  name: 'ranker',
  side: 'ours',
  build(tools) {
    const ranker = fieldedRanker()
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
