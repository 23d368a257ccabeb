import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createToolSearch } from 'toolsearch'
import { connectMcp } from 'toolsearch/mcp'

const client = new Client({ name: 'my-agent', version: '1.0.0' })
const args = ['-y', '@modelcontextprotocol/server-filesystem', '.']
await client.connect(new StdioClientTransport({ command: 'npx', args, stderr: 'ignore' }))

const toolSearch = createToolSearch({ activation: 'always' })
const session = await toolSearch.session('chat-42')
const files = await connectMcp(session, client, {
  name: 'files',
  prefix: 'files_',
  timeout: 120_000,
  onError: (error) => console.error(error.message),
})
const { outcome } = await session.search({ query: 'read a text file' })
console.log(outcome.hits[0]?.tool.name, toolSearch.catalogue.size)
files.close() // removes the tools
await client.close()
