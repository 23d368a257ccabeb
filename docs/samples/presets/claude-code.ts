import { claudeCode, createToolSearch, parseActivation } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: claudeCode,
  activation: parseActivation(process.env.ENABLE_TOOL_SEARCH), // true, false, auto or auto:N
  deferral: { sources: { 'mcp:memory': 'eager' } }, // like alwaysLoad of a server
  tools: [
    { name: 'mcp__memory__recall', description: 'Recall a fact' },
    { name: 'mcp__slack__send', _meta: { 'anthropic/alwaysLoad': true } },
    { name: 'mcp__slack__search', _meta: { 'anthropic/searchHint': 'find messages' } },
  ],
})
const session = await toolSearch.session('chat-42')
console.log((await session.turn()).tools.map((tool) => tool.name))
