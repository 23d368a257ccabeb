import { claudeCodeWiki, createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: claudeCodeWiki,
  contextWindow: 200_000,
  tools: [{ name: 'mcp__slack__send', description: 'Send a message' }],
})
const session = await toolSearch.session('chat-42')
console.log((await session.turn({ usedTokens: 19_999 })).hidden)
console.log((await session.turn({ usedTokens: 20_000 })).hidden) // 10% of the context window
