import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverConfig } from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams, until } from './fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
const limits = { messageBytes: 1_000_000 }
let http: Server
let url = ''
let sent = 0
let openStreams = 0

beforeAll(async () => {
  http = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(async () => {
  await upstreams.closeAll()
  http.close()
  http.closeAllConnections()
})

/** A legacy server whose tools `json` and `stream` return results without an end. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const piece of request) body += piece
  if (request.method !== 'POST') {
    if (request.url === '/sse') serveSse(response)
    else response.writeHead(405).end()
    return
  }
  const message = JSON.parse(body)
  if (request.url === '/sse') {
    response.writeHead(202).end()
    sse?.write(eventOf(message))
    return
  }
  if (message.id === undefined) {
    response.writeHead(202).end()
    return
  }
  const tool = message.method === 'tools/call' ? message.params.name : undefined
  if (tool === 'json' || tool === 'stream') {
    const isJson = tool === 'json'
    const type = isJson ? 'application/json' : 'text/event-stream'
    response.writeHead(200, { 'content-type': type })
    endless(response, isJson ? '{"result":{"content":[{"text":"' : 'data: {"result":"')
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answerTo(message)))
}

let sse: ServerResponse | undefined
function serveSse(response: ServerResponse): void {
  sse = response
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: endpoint\ndata: /sse\n\n')
}

function eventOf(message: { id?: number; method: string; params: { name?: string } }): string {
  if (message.id === undefined) return ': nothing\n\n'
  const text = message.params?.name === 'big' ? 'x'.repeat(3_000_000) : undefined
  const answer = text
    ? { result: { content: [{ type: 'text', text }] }, jsonrpc: '2.0', id: message.id }
    : answerTo(message)
  return `event: message\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`
}

function answerTo({ id, method }: { id?: number; method: string }): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [] },
    'tools/call': { content: [{ type: 'text', text: 'small' }] },
  }
  const error = { code: -32601, message: 'Unknown method' }
  return results[method]
    ? { jsonrpc: '2.0', id, result: results[method] }
    : { jsonrpc: '2.0', id, error }
}

function endless(response: ServerResponse, head: string): void {
  openStreams++
  response.write(head)
  const write = () => {
    while (!response.destroyed) {
      sent += 65_536
      if (!response.write('x'.repeat(65_536))) return
    }
  }
  response.on('drain', write)
  response.once('close', () => {
    openStreams--
  })
  write()
}

describe('a message without an end', () => {
  it.each(['json', 'stream'])('ends the call and the connection (%s)', async (tool) => {
    const upstream = upstreams.open(
      serverConfig({ kind: 'http', url: `${url}/mcp`, headers: {} }, { limits }),
    )
    await upstream.connect()
    sent = 0
    await expect(callText(upstream, tool)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(
        /answered tools\/call with .* exceeds the maximum message size/,
      ),
    })
    await until(() => openStreams === 0)
    // what fits into the buffers of both sockets, but not much more
    expect(sent).toBeLessThan(50_000_000)
    expect(await callText(upstream, 'echo')).toBe('small')
    expect(upstream.status.state).toBe('ready')
  })
})

it('drops an event that is too large, and fails only its call', async () => {
  const upstream = upstreams.open(
    serverConfig({ kind: 'sse', url: `${url}/sse`, headers: {} }, { limits }),
  )
  await upstream.connect()
  await expect(callText(upstream, 'big')).rejects.toMatchObject({ code: 'too-large' })
  expect(await callText(upstream, 'echo')).toBe('small')
  expect(upstream.status.state).toBe('ready')
})
