import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An MCP server over HTTP that all replicas call, and that counts how often each call arrived. */
export interface CountingServer {
  readonly url: string
  /** How often a call with this id arrived. */
  count(id: string): number
  readonly calls: number
  close(): Promise<void>
}

const TOOL = {
  name: 'book',
  description: 'Book a seat. Must not happen twice.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, waitMs: { type: 'integer' } },
    required: ['id'],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
}

export async function startCountingServer(): Promise<CountingServer> {
  const counts = new Map<string, number>()
  let calls = 0

  async function answer({ method, params }: Message): Promise<object> {
    if (method === 'initialize') {
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'counting', version: '1' },
      }
    }
    if (method === 'tools/list') return { tools: [TOOL] }
    if (method !== 'tools/call') return {}
    const { id, waitMs = 0 } = params!.arguments as { id: string; waitMs?: number }
    calls += 1
    counts.set(id, (counts.get(id) ?? 0) + 1)
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    return { content: [{ type: 'text', text: `booked ${id}` }] }
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Message
    if (message.id === undefined) {
      response.writeHead(202).end()
      return
    }
    const isKnown = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(message.method)
    const outcome = isKnown
      ? { result: await answer(message) }
      : { error: { code: -32601, message: 'Method not found' } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    count: (id) => counts.get(id) ?? 0,
    get calls() {
      return calls
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Message {
  readonly id?: unknown
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}
