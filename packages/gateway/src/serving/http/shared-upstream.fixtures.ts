import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

/** An MCP server over HTTP that all replicas use. It tells what has happened to its calls. */
export interface SharedUpstream {
  readonly url: string
  /** The arguments of all calls, in the order in which they arrived. */
  readonly calls: readonly Record<string, unknown>[]
  readonly running: number
  readonly cancelled: number
  close(): Promise<void>
}

const inputSchema = { type: 'object' as const }

/** `wait` answers when it is cancelled, `count` at once, and `long` with a long text. */
export async function startUpstream(): Promise<SharedUpstream> {
  const state = { calls: [] as Record<string, unknown>[], running: 0, cancelled: 0 }
  const create = () => {
    const server = new Server({ name: 'shared', version: '1' }, { capabilities: { tools: {} } })
    const tools = ['wait', 'count', 'long'].map((name) => ({ name, inputSchema }))
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
      state.calls.push({ ...params.arguments })
      if (params.name === 'long') return text(longText(Number(params.arguments?.length)))
      if (params.name !== 'wait') return text(JSON.stringify(params.arguments))
      state.running += 1
      if (!signal.aborted) await once(signal, 'abort')
      state.running -= 1
      state.cancelled += 1
      return text('cancelled')
    })
    return server
  }
  const handle = toNodeHandler(createMcpHandler(create))
  const server = createServer((request, response) => void handle(request as never, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls: state.calls,
    get running() {
      return state.running
    },
    get cancelled() {
      return state.cancelled
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Numbered words, so that every part of it is different. */
export function longText(length: number): string {
  const words = Array.from({ length: Math.ceil(length / 6) }, (_, index) => `w${index}`)
  return words.join(' ').slice(0, length)
}

function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] }
}
