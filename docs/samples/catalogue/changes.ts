import { createToolSearch } from 'toolsearch'

const { catalogue, sources } = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email' }],
})
const unsubscribe = catalogue.subscribe(({ added, replaced, removed }) => {
  console.log(`${added.length} added, ${replaced.length} replaced, ${removed.length} removed`)
})

catalogue.add({
  name: 'read_file',
  description: 'Read a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  loading: 'eager', // always sent
})
// the tools of a server, after it connected or sent a list_changed notification
catalogue.sync('mcp:github', [{ name: 'create_issue', description: 'Open a bug report' }])
catalogue.removeSource('mcp:github') // the server is gone
sources.set({ source: 'mcp:linear', state: 'connecting' }) // search results name this server
unsubscribe()
