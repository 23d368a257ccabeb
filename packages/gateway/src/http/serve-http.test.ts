import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../downstream/gateway.ts'
import { mcpServer } from '../downstream/mcp-server.ts'
import { gatewayConfig, upstreamSet } from '../downstream/upstream-set.fixtures.ts'
import { type HttpService, type ServeHttpOptions, serveHttp } from './serve-http.ts'

const services: HttpService[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()))
})

async function start(options: ServeHttpOptions = {}): Promise<string> {
  const servers = upstreamSet({})
  const gateway = createGateway(gatewayConfig([]), servers)
  const factory = mcpServer(gateway, servers, { version: '1', instructions: () => '' })
  const service = await serveHttp(factory, options)
  services.push(service)
  return service.url
}

const post = (url: string, headers: Record<string, string> = {}, body = '{}') =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

describe('serveHttp', () => {
  it('wants a token where others can reach it', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('TOOLSEARCH_TOKEN')
  })

  it('lets in who has the token, and nobody else', async () => {
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

  it('answers to no other name, so that no other site can be made to mean it', async () => {
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

  it('refuses a body that is too large, or no JSON', async () => {
    const url = await start({ maxBody: 1_000 })
    expect((await post(url, {}, `"${'x'.repeat(2_000)}"`)).status).toBeGreaterThanOrEqual(400)
    expect((await post(url, {}, 'nonsense')).status).toBeGreaterThanOrEqual(400)
  })

  it('says where the gateway is', async () => {
    const url = await start()
    const other = await fetch(url.replace('/mcp', '/'))
    expect(other.status).toBe(404)
    expect(await other.json()).toEqual({ error: 'The gateway is at /mcp.' })
  })
})
