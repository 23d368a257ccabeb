import { createToolSearch, dirge } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: dirge,
  deferral: { alwaysOn: [...(dirge.deferral.alwaysOn ?? []), 'read'] },
  tools: [
    { name: 'read', description: 'Read a file' },
    { name: 'websearch', description: 'Search the web' },
  ],
})
const session = await toolSearch.session('chat-42')
await session.search({ query: 'serch the web', top_k: 1 })
console.log(session.loaded)
