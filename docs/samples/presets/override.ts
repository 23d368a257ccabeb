import { cortex, createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: cortex,
  selection: { maxLimit: 10 }, // the other settings are those of cortex
  tools: [{ name: 'mcp__mail__send', description: 'Send an email' }],
})
const session = await toolSearch.session('chat-42')
console.log((await session.turn()).tools.map((tool) => tool.name))
