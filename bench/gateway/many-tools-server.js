// A server with the tools of a file: node many-tools-server.js TOOLS.json
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'))

function answer({ method, params }) {
  if (method === 'tools/list') return { result: { tools } }
  if (method === 'ping') return { result: {} }
  if (method === 'tools/call') {
    return { result: { content: [{ type: 'text', text: `${params.name} was called` }] } }
  }
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'many-tools', version: '1' }
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
  }
  return { error: { code: -32601, message: 'Method not found' } }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line)
    if (message.id === undefined) return
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) })}\n`,
    )
  })
  .on('close', () => process.exit(0))
