import { createToolSearch, type Tool } from 'toolsearch'
import type { Ranker } from 'toolsearch/rankers'

function nameRanker(): Ranker {
  const tools = new Map<string, Tool>()
  return {
    name: 'name',
    set: (tool) => void tools.set(tool.name, tool),
    delete: (name) => void tools.delete(name),
    rank(query, { limit, accepts = () => true }) {
      const scored = [...tools.values()]
        .filter(accepts) // the tools this search may return
        .map((tool) => ({
          tool,
          score: query.terms.filter((term) => tool.name.includes(term)).length,
        }))
        .filter(({ score }) => score > 0)
      return { hits: scored.sort((a, b) => b.score - a.score).slice(0, limit) }
    },
  }
}

const toolSearch = createToolSearch({
  tools: [{ name: 'create_issue' }, { name: 'send_mail' }],
  ranker: nameRanker,
})
console.log(toolSearch.search('send a mail').hits.map((hit) => hit.tool.name))
