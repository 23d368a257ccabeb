import { createToolSearch, type ToolSearch } from 'toolsearch'
import { compareEvaluations, evaluate } from 'toolsearch/evaluation'
import { bm25Ranker } from 'toolsearch/rankers'

const tools = [
  { name: 'create_issue', description: 'Create an issue in a repository' },
  { name: 'send_mail', description: 'Send an email' },
]
const queries = [
  { query: 'add a ticket', relevant: ['create_issue'], kind: 'synonym' },
  { query: 'send an email', relevant: ['send_mail'], kind: 'keyword' },
  { query: 'order a pizza', relevant: [] }, // no tool can do this
]

// any function that returns tool names can be evaluated, with or without a confidence
const searchOf = (toolSearch: ToolSearch) => (query: string, limit: number) => {
  const { hits, candidates, confidence } = toolSearch.search(query, { limit })
  return { names: [...hits, ...candidates].map(({ tool }) => tool.name), confidence }
}

const bm25 = await evaluate(searchOf(createToolSearch({ tools, ranker: bm25Ranker })), queries)
const ours = await evaluate(searchOf(createToolSearch({ tools })), queries)
console.log(ours.all.scores?.recallAt5) // the share of relevant tools among the first five
console.log(compareEvaluations(bm25, ours)) // the difference, with a 95% interval
