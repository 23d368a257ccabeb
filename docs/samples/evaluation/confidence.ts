import { createToolSearch } from 'toolsearch'
import { evaluate, reliability } from 'toolsearch/evaluation'

const toolSearch = createToolSearch({
  tools: [
    { name: 'create_issue', description: 'Create an issue in a repository' },
    { name: 'send_mail', description: 'Send an email' },
  ],
})
const queries = [
  { query: 'send_mail', relevant: ['send_mail'] },
  { query: 'add a ticket', relevant: ['create_issue'] },
  { query: 'order a pizza', relevant: [] }, // no tool can do this
]

// the candidates of a doubtful search count as results: the model sees them
const { all, results } = await evaluate((query, limit) => {
  const { hits, candidates, confidence } = toolSearch.search(query, { limit })
  return { names: [...hits, ...candidates].map((hit) => hit.tool.name), confidence }
}, queries)

console.log(all.doubted) // the share of queries without a relevant tool that it doubts
console.log(all.wronglyDoubted) // the share of the others that it doubts
for (const { confidence, queries, right } of reliability(results).levels) {
  console.log(`${confidence}: a relevant tool in ${right * 100}% of ${queries} results`)
}
