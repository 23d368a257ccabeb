import { openGateway } from 'toolsearch-gateway'

const gateway = await openGateway({
  mcpServers: {
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
  },
  toolsearch: { mode: 'search' },
})
await gateway.ready() // optional: wait until every server has connected or failed

console.log(gateway.listTools().map((tool) => tool.name)) // pass these tools to the model
console.log(gateway.search('create a folder').hits[0]?.tool.name)
const call = { name: 'files__create_directory', arguments: { path: 'new' } }
const result = await gateway.callTool({ name: 'call_write_tool', arguments: call })
console.log(result.content?.[0]?.text)
await gateway.close() // close all connections and stop the servers
