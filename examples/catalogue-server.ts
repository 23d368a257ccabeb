import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { myTools } from './my-tools.ts'

/** The demo catalogue as an MCP server over stdio. Its tools say what they were asked, and do nothing. */
serveStdio(() => {
  const server = new Server(
    { name: 'demo-catalogue', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: 'An imaginary company: nothing here is real.' },
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
