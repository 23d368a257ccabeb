import { createToolSearch } from 'toolsearch'
import { createFileStore } from 'toolsearch/file-store'

const toolSearch = createToolSearch({
  tools: [
    { name: 'read_file', description: 'Read a file' },
    { name: 'send_mail', description: 'Send an email' },
    { name: 'delete_all', description: 'Delete everything' },
  ],
  activation: 'always',
  store: createFileStore({ folder: 'sessions' }),
})
const session = await toolSearch.session('chat-42', { visible: ['read_file', 'send_mail'] })

const { tools, system } = await session.turn() // once per request: what to send
await session.answer({ name: 'tool_search', arguments: { query: 'read a file' } }) // for each call
console.log(session.loaded, tools.length, system)

const subagent = await session.fork('chat-42/research', { loaded: true }) // copies the loaded tools
await session.compacted() // after you replaced the history with a summary
const reopened = await toolSearch.restore(await subagent.snapshot()) // from plain JSON
console.log(reopened.loaded)
