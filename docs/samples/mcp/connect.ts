import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createToolSearch } from 'toolsearch'
import { connectMcp } from 'toolsearch/mcp'

const client = new Client({ name: 'my-agent', version: '1.0.0' })
const args = ['-y', '@modelcontextprotocol/server-filesystem', '.']
await client.connect(new StdioClientTransport({ command: 'npx', args, stderr: 'ignore' }))

const toolSearch = createToolSearch({ activation: 'always' })
await connectMcp(toolSearch, client, { name: 'files' })

const session = await toolSearch.session('chat-42')
const { outcome } = await session.search({ query: 'read a text file' })
console.log(outcome.hits[0]?.tool.name)
const result = await session.run({ name: 'read_text_file', arguments: { path: 'notes.txt' } })
if (result.kind === 'executed') console.log(result.output) // the server's result, unchanged
await client.close()
