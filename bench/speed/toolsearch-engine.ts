import { createToolSearch } from 'toolsearch'
import { type Engine, LIMIT } from './engine.ts'

/** The whole library: it validates definitions, selects by name, cuts the results and may abstain. */
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
