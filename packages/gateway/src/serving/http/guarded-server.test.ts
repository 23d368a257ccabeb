import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type GuardedServer, type GuardedServerOptions, guardedServer } from './guarded-server.ts'

const servers: GuardedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options: GuardedServerOptions = {}): Promise<string> {
  const pages = async (asked: Request) => {
    const { pathname } = new URL(asked.url)
    return pathname === '/nothing' ? undefined : new Response(`${asked.method} ${pathname}`)
  }
  const server = await guardedServer(new Map(), { pages, ...options })
  servers.push(server)
  return server.origin.replace('0.0.0.0', '127.0.0.1')
}

/** Sends headers that `fetch` does not allow, and the path unchanged. */
function raw(
  origin: string,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .once('error', reject)
      .end()
  })
}

describe('guardedServer', () => {
  it('serves pages without the token, but requires it under /api', async () => {
    const origin = await start({ token: 'secret' })
    const status = async (path: string, authorization?: string) =>
      (await fetch(`${origin}${path}`, { headers: authorization ? { authorization } : {} })).status
    expect(await status('/')).toBe(200)
    expect(await status('/assets/a.js')).toBe(200)
    expect(await status('/nothing')).toBe(404)
    for (const path of ['/api', '/api/', '/api/tools', '/api//tools', '/x/../api/tools']) {
      expect(await status(path)).toBe(401)
      expect(await status(path, 'Bearer wrong')).toBe(401)
      expect(await status(path, 'Bearer secret')).toBe(200)
    }
  })

  it('requires the token for every path if it serves no pages', async () => {
    const server = await guardedServer(new Map(), { token: 'secret' })
    servers.push(server)
    expect((await fetch(server.origin)).status).toBe(401)
  })

  it.each(['', ' ', '\t\n'])('takes the token %j for none (finding D1)', async (token) => {
    await expect(start({ host: '0.0.0.0', token })).rejects.toMatchObject({
      code: 'missing_token',
      message: expect.stringContaining('TOOLSEARCH_TOKEN is set but empty'),
    })
    const origin = await start({ token })
    expect(await raw(origin, '/api/tools')).toBe(200)
  })

  it('never accepts an empty bearer token (finding D1)', async () => {
    const origin = await start({ token: 'secret' })
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer  ', 'bearer', '']) {
      expect(await raw(origin, '/api/tools', { authorization })).toBe(401)
    }
    expect(await raw(origin, '/api/tools', { authorization: 'bearer  secret ' })).toBe(200)
  })

  it('sends the headers of an event stream before its first event (finding D8)', async () => {
    const pages = async () =>
      new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    const stop = new AbortController()
    const response = await fetch(await start({ pages }), { signal: stop.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    stop.abort()
  })

  it.each(['/', '/api/tools'])('rejects other Host and Origin headers for %s', async (path) => {
    const origin = await start()
    expect(await raw(origin, path, { host: 'evil.example' })).toBe(403)
    expect(await raw(origin, path, { origin: 'http://evil.example' })).toBe(403)
    expect(await raw(origin, path, { origin: 'null' })).toBe(403)
    expect(await raw(origin, path)).toBe(200)
  })

  it.each(['POST', 'DELETE'])(
    'allows %s only from its own origin, and from clients that send no origin',
    async (method) => {
      const origin = await start()
      const ask = (from: string) => raw(origin, '/api/saved', { method, origin: from })
      expect(await ask(origin)).toBe(200)
      expect(await ask('http://localhost:1')).toBe(403)
      expect(await raw(origin, '/api/saved', { method })).toBe(200)
      expect(await raw(origin, '/api/saved', { origin: 'http://localhost:1' })).toBe(200)
    },
  )

  it('allows changes only from its own origin if the host is not loopback', async () => {
    const origin = await start({ host: '0.0.0.0', token: 'secret' })
    const { host } = new URL(origin)
    const ask = (from: string, name = host) =>
      raw(origin, '/api/saved', {
        method: 'POST',
        authorization: 'Bearer secret',
        origin: from,
        host: name,
      })
    expect(await ask(origin)).toBe(200)
    expect(await ask('https://gateway.example', 'gateway.example')).toBe(200)
    expect(await ask('https://evil.example', 'gateway.example')).toBe(403)
    expect(await ask('null')).toBe(403)
    expect(await ask('nonsense')).toBe(403)
  })

  it('closes the connections of clients that send their requests too slowly (finding: slow bodies)', async () => {
    const { hostname, port } = new URL(await start({ requestMs: 200 }))
    const ends = Array.from({ length: 20 }, (_, index) => {
      const socket = connect(Number(port), hostname)
      const head = `POST /api/x HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`
      // half of them never finish the headers, the others the body
      socket.write(index % 2 ? head : `${head}Content-Length: 100\r\n\r\n{`)
      socket.resume()
      return new Promise((resolve) => socket.once('close', resolve))
    })
    await Promise.all(ends)
  })

  it('survives malformed paths', async () => {
    const origin = await start()
    for (const path of ['//', '//api', '/%', '/%ff', '/\\']) {
      expect(await raw(origin, path)).toBeGreaterThanOrEqual(200)
    }
    expect(await raw(origin, '/')).toBe(200)
  })
})
