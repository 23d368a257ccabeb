import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { myTools } from './my-tools.ts'

/** The tools of the examples as one MCP server over stdio. Each tool only returns its arguments. */
serveStdio(() => {
  const server = new Server(
    { name: 'demo-catalogue', version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions: 'The tools of an invented company. They only return their arguments.',
    },
  )
  const tools = myTools.map(({ name, description, inputSchema, annotations }) => ({
    name: name.replace(/^mcp__/, ''),
    description,
    inputSchema,
    annotations,
  }))
  server.setRequestHandler('tools/list', () => ({ tools: tools as never[] }))
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [
      { type: 'text', text: `${params.name} was called with ${JSON.stringify(params.arguments)}.` },
    ],
  }))
  return server
})
