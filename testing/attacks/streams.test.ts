import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type HostileGateway, openHostileGateway } from './hostile-gateway.ts'
import { longestStall, maxStall } from './longest-stall.ts'

let open: HostileGateway | undefined
let server: Server | undefined
afterEach(async () => {
  await open?.close()
  server?.closeAllConnections()
  server?.close()
})

interface Speaker {
  /** Answers a request, or returns false for the usual answer. GET requests have no method. */
  answer(method: string | undefined, response: ServerResponse): boolean
}

/** Opens a gateway in front of an HTTP server with the tool "use". */
async function openWith({ answer }: Speaker): Promise<HostileGateway> {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = chunks.length > 0 ? JSON.parse(`${Buffer.concat(chunks)}`) : {}
    if (answer(method, response)) return
    if (id === undefined) return response.writeHead(request.method === 'GET' ? 405 : 202).end()
    const { protocolVersion } = params ?? {}
    const results: Record<string, object> = {
      initialize: {
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'server', version: '1' },
      },
      'tools/list': { tools: [{ name: 'use', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'used' }] },
    }
    const result = results[method]
    const error = { code: -32601, message: 'Unknown method' }
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  open = await openHostileGateway({}, {}, { hostile: { url, type: 'http' } })
  return open
}

const use = { name: 'hostile__use', arguments: {} }

// Noise of the machine only makes stalls longer.
describe('nobody waits while a stream has', { retry: 2 }, () => {
  it.each([
    ['blank lines', '\n', 250],
    ['blank lines of two characters', '\r\n', 250],
    ['blank lines of carriage returns', '\r', 250],
    ['comments', ':\n\n', 250],
    ['unknown fields', 'x\n\n', 250],
    ['an event of unknown fields', 'x\n', 250],
    ['an event of many lines', 'id:\r', 250],
    ['ids', 'id: 1\n\n', 30],
    ['events that are not messages', 'data: {}\n\n', 30],
  ])('%s', async (_, text, kilobytes) => {
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    let lists = 0
    let stream: ServerResponse | undefined
    const { gateway } = await openWith({
      answer(method, response) {
        if (method === 'tools/list') lists++
        if (method !== undefined) return false
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        stream.flushHeaders()
        return true
      },
    })
    await gateway.ready()
    await expect.poll(() => stream).toBeDefined()
    const before = lists
    const stall = await longestStall(async () => {
      stream!.write(text.repeat((kilobytes * 1_000) / text.length))
      stream!.write(`\n\ndata: ${JSON.stringify(changed)}\n\n`)
      await expect.poll(() => lists).toBeGreaterThan(before)
    })
    expect(stall).toBeLessThan(maxStall())
  })
})

describe('the endless body of an error is not read', () => {
  it.each(['initialize', 'notifications/initialized', 'tools/list', 'tools/call', undefined])(
    'that answers %s',
    async (hostileMethod) => {
      const body = Buffer.alloc(64 * 1024, 'x')
      let written = 0
      let isAsked = false
      let isEnded = false
      const { gateway, call } = await openWith({
        answer(method, response) {
          if (method !== hostileMethod || isAsked) return false
          isAsked = true
          response.writeHead(500).once('close', () => {
            isEnded = true
          })
          const write = () => {
            do written += body.length
            while (!isEnded && response.write(body))
          }
          response.on('drain', write)
          write()
          return true
        },
      })
      await gateway.ready()
      if (hostileMethod === 'tools/call') await call('call_destructive_tool', use)
      await expect.poll(() => isEnded).toBe(true)
      expect(written).toBeLessThan(20_000_000)
    },
  )
})
