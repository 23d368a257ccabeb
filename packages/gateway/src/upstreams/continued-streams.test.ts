import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { serverConfig } from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams } from './fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
const closing: (() => void)[] = []
afterEach(async () => {
  await upstreams.closeAll()
  for (const close of closing.splice(0)) close()
})

/** A server of 2025-11-25 whose streams break. */
async function start({ hasIds }: { readonly hasIds: boolean }) {
  let calls = 0
  const continued: unknown[] = []
  const stream = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'one' })
  const json = (response: ServerResponse, id: unknown, result: object) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  let called: unknown

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.method !== 'POST') return answerGet(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'initialize') {
      const serverInfo = { name: 'x', version: '1' }
      const about = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
      return json(response, id, about)
    }
    if (method === 'tools/list') {
      return json(response, id, { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] })
    }
    if (method !== 'tools/call') {
      const error = { code: -32601, message: 'Method not found' }
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    calls += 1
    called = id
    stream(response).write(hasIds ? 'id: s.0\nretry: 20\ndata: \n\n' : ': started\n\n')
    setTimeout(() => response.destroy(), 50)
  }

  function answerGet(request: IncomingMessage, response: ServerResponse): unknown {
    const lastEventId = request.headers['last-event-id']
    if (lastEventId === undefined) return response.writeHead(405).end()
    continued.push(lastEventId)
    if (continued.length < 3) return stream(response).end()
    const result = { content: [{ type: 'text', text: 'paid' }] }
    const message = JSON.stringify({ jsonrpc: '2.0', id: called, result })
    stream(response).end(`id: s.1\ndata: ${message}\n\n`)
  }

  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    http.close()
    http.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const upstream = upstreams.open(serverConfig({ kind: 'http', url, headers: {} }))
  return { upstream, continued, calls: () => calls }
}

describe('the stream of a call', () => {
  it('is continued as often as it breaks, and the call is sent once', async () => {
    const { upstream, continued, calls } = await start({ hasIds: true })
    expect(await callText(upstream, 'pay')).toBe('paid')
    expect(continued).toEqual(['s.0', 's.0', 's.0'])
    expect(calls()).toBe(1)
  })

  it('fails if it cannot be continued, and the call is not repeated', async () => {
    const { upstream, continued, calls } = await start({ hasIds: false })
    await expect(callText(upstream, 'pay')).rejects.toMatchObject({ code: 'died' })
    expect(continued).toEqual([])
    expect(calls()).toBe(1)
  })
})
