import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    { name: 'git_log', description: 'Show the history of a branch. Newest first.' },
    { name: 'git_diff', description: 'Show what changed' },
    { name: 'git_push', description: 'Send a branch to the server' },
  ],
})

for (const query of [
  'git_log',
  'send branch history',
  'grow tomatoes on a branch behind the shed',
]) {
  const { confidence, hits, candidates } = toolSearch.search(query)
  const names = [...hits, ...candidates].map(({ tool, status }) => `${tool.name} (${status})`)
  console.log(`${confidence}: ${names.join(', ')}`)
}
