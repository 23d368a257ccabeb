import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email' }],
  activation: 'always',
  onCall: ({ sessionId, call, result }) => console.log(sessionId, call.name, result.kind),
})
const session = await toolSearch.session('chat-42', {
  onLoaded: ({ tools, by }) => console.log(`${tools.map((tool) => tool.name)} loaded by ${by}`),
})
await session.run({ name: 'tool_search', arguments: { query: 'send an email' } })
