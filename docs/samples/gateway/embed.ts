import { openGateway } from 'toolsearch-gateway'

const gateway = await openGateway({
  mcpServers: {
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
  },
  toolsearch: { mode: 'search' },
})
await gateway.ready() // optional: wait until every server has connected or failed

console.log(gateway.listTools().map((tool) => tool.name)) // pass these tools to the model
const result = await gateway.callTool({ name: 'tool_search', arguments: { query: 'read a file' } })
console.log(result.isError ?? false)
await gateway.close() // close all connections and stop the servers
