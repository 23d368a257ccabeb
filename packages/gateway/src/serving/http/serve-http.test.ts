import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGateway } from '../../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../../offering/upstream-set.fixtures.ts'
import { mcpServer } from '../mcp-server.ts'
import { type HttpService, type ServeHttpOptions, serveHttp } from './serve-http.ts'

const services: HttpService[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()))
})

const region = { region: { type: 'string', 'x-mcp-header': 'Region' } }
const look = { name: 'look', inputSchema: { type: 'object', properties: region } }

async function start(
  options: Partial<ServeHttpOptions> = {},
  mode: 'search' | 'passthrough' = 'search',
): Promise<string> {
  const servers = upstreamSet({ map: { tools: [look] } })
  const gateway = createGateway(gatewayConfig([serverConfig('map')], { mode }), servers)
  const factory = mcpServer(gateway, servers, { version: '1' })
  const service = await serveHttp(factory, { gateway, servers, ...options })
  services.push(service)
  return service.url
}

async function modernClient(url: string): Promise<Client> {
  const info = { name: 'test', version: '1' }
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

const post = (url: string, headers: Record<string, string> = {}, body = '{}') =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

describe('serveHttp', () => {
  it('requires a token unless the host is loopback', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('TOOLSEARCH_TOKEN')
  })

  it('rejects requests without the token', async () => {
    const url = await start({ token: 'secret' })
    expect((await post(url)).status).toBe(401)
    expect((await post(url, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await post(url, { authorization: 'Basic secret' })).status).toBe(401)
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: 'Bearer secret' }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
  })

  it('rejects other Host headers, to prevent DNS rebinding', async () => {
    const { hostname, port, pathname } = new URL(await start())
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json' }
      request({ hostname, port, path: pathname, method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end('{}')
    })
    expect(status).toBe(403)
  })

  it('rejects a body that is too large or not JSON', async () => {
    const url = await start({ maxBody: 1_000 })
    expect((await post(url, {}, `"${'x'.repeat(2_000)}"`)).status).toBeGreaterThanOrEqual(400)
    expect((await post(url, {}, 'nonsense')).status).toBeGreaterThanOrEqual(400)
  })

  it.each([{}, { 'mcp-session-id': 'some' }])(
    'rejects a body that is nested too deeply, and keeps serving (headers %j)',
    async (headers) => {
      const url = await start()
      const deep = `${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}`
      const answer = await post(
        url,
        headers,
        `{"jsonrpc":"2.0","id":7,"method":"x","params":${deep}}`,
      )
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        id: 7,
        error: { code: -32600, message: expect.stringContaining('100 levels') },
      })
      const client = await modernClient(url)
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
      await client.close()
    },
  )

  it('requires headers that match the arguments of a listed tool', async () => {
    const client = await modernClient(await start({}, 'passthrough'))
    const sent = vi.spyOn(globalThis, 'fetch')
    await client.listTools()
    const call = { name: 'map__look', arguments: { region: 'Köln' } }
    expect((await client.callTool(call)).isError).not.toBe(true)
    const [url, { headers, body } = {}] = sent.mock.lastCall!
    sent.mockRestore()
    await client.close()
    for (const region of ['west', '=?base64?S8O2bG4?=']) {
      const wrong = new Headers(headers)
      expect(wrong.get('mcp-param-region')).toBe('=?base64?S8O2bG4=?=')
      wrong.set('mcp-param-region', region)
      const refused = await fetch(url, { method: 'POST', headers: wrong, body: body! })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: -32020 } })
    }
  })

  it('requires no such headers for a tool that is called through a call tool', async () => {
    const client = await modernClient(await start())
    await client.listTools()
    const inner = { name: 'map__look', arguments: { region: 'west' } }
    const result = await client.callTool({ name: 'call_destructive_tool', arguments: inner })
    expect(result).toMatchObject({ content: [{ text: 'done' }] })
    await client.close()
  })

  it('closes a session that it has rejected', async () => {
    const servers = upstreamSet({})
    const gateway = createGateway(gatewayConfig([]), servers)
    let listening = 0
    const { onViewsChanged } = gateway
    gateway.onViewsChanged = (listener) => {
      listening++
      const stop = onViewsChanged(listener)
      return () => {
        listening--
        stop()
      }
    }
    const factory = mcpServer(gateway, servers, { version: '1' })
    const service = await serveHttp(factory, { gateway, servers })
    services.push(service)
    const before = listening
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const accept = 'application/json, text/event-stream'
    expect((await post(service.url, { accept: 'text/plain' }, body)).status).toBe(406)
    expect(listening).toBe(before)
    await (await post(service.url, { accept }, body)).text()
    expect(listening).toBe(before + 1)
  })

  it('answers GET /mcp with headers at once', async () => {
    const url = await start()
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const accept = 'application/json, text/event-stream'
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const opened = await post(url, { accept }, body)
    const session = opened.headers.get('mcp-session-id')!
    await opened.text()
    const stop = new AbortController()
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session }
    const stream = await fetch(url, { headers, signal: stop.signal })
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    stop.abort()
  })

  it('answers health checks without a token, and without names', async () => {
    const servers = upstreamSet({ map: { tools: [look] }, slow: { tools: [] } })
    const status = servers.upstreams.get('slow')!.status as { state: string; isPending?: boolean }
    Object.assign(status, { state: 'connecting', isPending: true })
    const url = await start({ servers, token: 'secret' })
    const check = async (path: string) => {
      const response = await fetch(new URL(path, url))
      return [response.status, await response.json()]
    }
    expect(await check('/healthz')).toEqual([200, { status: 'ok' }])
    expect(await check('/readyz')).toEqual([
      503,
      { status: 'starting', servers: { total: 2, ready: 1, connecting: 1 } },
    ])
    Object.assign(status, { state: 'failed', isPending: false })
    expect(await check('/readyz')).toEqual([
      200,
      { status: 'ready', servers: { total: 2, ready: 1, failed: 1 } },
    ])
    expect((await fetch(url, { method: 'POST' })).status).toBe(401)
    expect((await fetch(new URL('/readyz', url), { method: 'POST' })).status).toBe(401)
  })

  it('names the path of the gateway for other paths', async () => {
    const url = await start()
    const response = await fetch(url.replace('/mcp', '/'))
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Not found. The gateway is at /mcp.' })
  })
})
