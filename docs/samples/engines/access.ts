import { createEngineSearch, createMemoryEngine } from 'toolsearch/engines'

const search = createEngineSearch({
  engine: createMemoryEngine(),
  execute: async (tool, input) => `${tool.name} was called with ${JSON.stringify(input)}`,
})
await search.engine.put([
  { name: 'mcp__github__create_issue', description: 'Create an issue' },
  { name: 'mcp__jira__create_issue', description: 'Create an issue' },
  { name: 'mcp__payroll__list_salaries', description: 'List the salaries of all people' },
])

const session = await search.session('chat-42', {
  fromSources: ['mcp:github', 'mcp:jira'],
  visible: (tool) => !tool.annotations.destructiveHint,
})
const { outcome } = await session.search({ query: 'list salaries' })
console.log(outcome.hits.length, outcome.candidates.length)

await session.load(['mcp__github__create_issue'])
const result = await session.run({ name: 'mcp__github__create_issue', arguments: {} })
console.log(result.kind === 'executed' && result.text)
