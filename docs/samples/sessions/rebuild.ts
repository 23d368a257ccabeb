import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [{ name: 'read_file', description: 'Read a file' }],
  activation: 'always',
})
const session = await toolSearch.session('chat-42')
const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } }
await session.rebuild([
  { role: 'user', content: 'What is in the file?' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Nothing.' },
])
console.log(session.loaded)
