import { bm25Ranker, createToolSearch } from 'toolsearch'
import { compareEvaluations, evaluate } from 'toolsearch/evaluation'

const tools = [
  { name: 'create_issue', description: 'Open a bug report' },
  { name: 'send_mail', description: 'Send an email' },
]
const queries = [
  { query: 'open a bug', relevant: ['create_issue'], kind: 'keyword' },
  { query: 'message my boss', relevant: ['send_mail'], kind: 'synonym' },
  { query: 'order a pizza', relevant: [] }, // no tool can do this
]

// any function that returns tool names can be evaluated
const ours = createToolSearch({ tools })
const ourSearch = (query: string, limit: number) =>
  ours.search(query, { limit }).hits.map((hit) => hit.tool.name)
const bm25 = createToolSearch({ tools, ranker: bm25Ranker })
const bm25Search = (query: string, limit: number) =>
  bm25.search(query, { limit }).hits.map((hit) => hit.tool.name)

const result = await evaluate(ourSearch, queries)
console.log(result.all.scores?.recallAt5) // the share of relevant tools among the first five
console.log(compareEvaluations(await evaluate(bm25Search, queries), result)) // with a 95% interval
