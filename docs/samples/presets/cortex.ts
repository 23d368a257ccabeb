import { cortex, createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: cortex,
  tools: [
    { name: 'mcp__obsidian__read_note', description: 'Read a note' },
    { name: 'mcp__obsidian__search_notes', description: 'Search the vault' },
  ],
})
const session = await toolSearch.session('chat-42')
const { answer } = await session.search({ query: 'mcp__obsidian' })
console.log(answer.data)
