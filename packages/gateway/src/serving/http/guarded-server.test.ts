import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { bearerToken } from '../../identity/bearer-token.ts'
import { type Caller, callerOf } from '../../identity/caller.ts'
import type { Identity } from '../../identity/identity.ts'
import { type Person, personId } from '../../identity/person.ts'
import { profileIn } from '../../identity/profile-in.ts'
import {
  type GuardedServer,
  type GuardedServerOptions,
  guardedServer,
  type Serve,
} from './guarded-server.ts'
import type { Health } from './health.ts'

const servers: GuardedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options: GuardedServerOptions = {}): Promise<string> {
  const pages = async (asked: Request, { pathname }: URL) => {
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

/** Knows people by tokens that are their names, and administrators by the token `admin`. */
function namedPeople(url: string): Identity {
  const person = (name: string): Person => ({
    id: personId('test', name),
    issuer: 'test',
    subject: name,
    groups: [],
    role: name === 'admin' ? 'administrator' : 'member',
  })
  return {
    url,
    authenticate({ headers }) {
      const name = bearerToken(headers)
      if (name === undefined || name === 'wrong') {
        const headers = { 'www-authenticate': 'Bearer resource_metadata="x"' }
        return { refusal: { status: 401, message: 'Sign in.', headers } }
      }
      return name.startsWith('slow') ? sleep(1, { person: person(name) }) : { person: person(name) }
    },
    serves: (path) => path.startsWith('/.well-known/'),
    handle: async ({ method }) => new Response(`${method} metadata`),
  }
}

describe('guardedServer with identity', () => {
  const url = 'https://gateway.example'

  async function startWithIdentity(options: GuardedServerOptions = {}): Promise<string> {
    const identity = namedPeople(url)
    const serve: Serve = (request, response) => {
      const { person, profile } = callerOf(request.auth)
      response.end(`${person.subject} ${profile}`)
    }
    const pages = async (_: Request, __: URL, { person }: Caller) => new Response(person.subject)
    const route = (path: string) => {
      const profile = profileIn(path)
      return profile === undefined ? undefined : { serve, profile }
    }
    const paths = new Map([['/mcp', serve]])
    const server = await guardedServer(paths, { identity, pages, route, ...options })
    servers.push(server)
    return server.origin.replace('0.0.0.0', '127.0.0.1')
  }

  const get = async (url: string, token?: string) => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const response = await fetch(url, { headers })
    return [response.status, await response.text()]
  }

  it('passes on who sends a request, and the profile in the address', async () => {
    const origin = await startWithIdentity()
    expect(await get(`${origin}/mcp`, 'ann')).toEqual([200, 'ann undefined'])
    expect(await get(`${origin}/mcp`, 'slow-ann')).toEqual([200, 'slow-ann undefined'])
    expect(await get(`${origin}/mcp/p/sales`, 'ann')).toEqual([200, 'ann sales'])
    expect(await get(`${origin}/mcp/p/a%20b`, 'ann')).toEqual([200, 'ann a b'])
    expect((await get(`${origin}/mcp/p/%ff`, 'ann'))[0]).toBe(200)
  })

  it('rejects everybody else, except for pages, metadata and health checks', async () => {
    const origin = await startWithIdentity({ health: (path) => health(path) })
    for (const path of ['/mcp', '/mcp/p/sales', '/mcp/p/unknown', '/api', '/api/tools']) {
      for (const token of [undefined, 'wrong']) {
        expect((await get(`${origin}${path}`, token))[0]).toBe(401)
      }
    }
    const { headers } = await fetch(`${origin}/mcp`)
    expect(headers.get('www-authenticate')).toBe('Bearer resource_metadata="x"')
    expect(await get(`${origin}/`)).toEqual([200, 'nobody'])
    expect(await get(`${origin}/.well-known/x`)).toEqual([200, 'GET metadata'])
    expect((await get(`${origin}/healthz`))[0]).toBe(200)
  })

  it('passes on who uses the API', async () => {
    const origin = await startWithIdentity()
    expect(await get(`${origin}/api/tools`, 'ann')).toEqual([200, 'ann'])
    expect(await get(`${origin}/api/tools`, 'admin')).toEqual([200, 'admin'])
  })

  it('ends a stream when the credentials are no longer valid, but not a call', async () => {
    let isValid = true
    const known = namedPeople(url)
    const identity: Identity = {
      ...known,
      authenticate: (request) =>
        isValid ? known.authenticate(request) : known.authenticate({ ...request, headers: {} }),
    }
    const finish: (() => void)[] = []
    const serve: Serve = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': open\n\n')
      finish.push(() => response.end('done'))
    }
    const paths = new Map([['/mcp', serve]])
    const server = await guardedServer(paths, { identity, recheckMs: 20 })
    servers.push(server)
    const headers = { authorization: 'Bearer ann' }
    const stream = await fetch(`${server.origin}/mcp`, { headers })
    const listening = { ...headers, 'mcp-method': 'subscriptions/listen' }
    const other = await fetch(`${server.origin}/mcp`, { method: 'POST', headers: listening })
    const call = await fetch(`${server.origin}/mcp`, { method: 'POST', headers })
    isValid = false
    await expect(stream.text()).rejects.toThrow()
    await expect(other.text()).rejects.toThrow()
    for (const each of finish) each()
    expect(await call.text()).toContain('done')
  })

  it('rejects headers that are too long, and those that Node.js considers invalid', async () => {
    const origin = await startWithIdentity()
    const { hostname, port } = new URL(origin)
    const send = (value: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname)
        let received = ''
        socket.on('data', (piece) => {
          received += piece
        })
        socket.on('error', () => {})
        socket.once('close', () => resolve(received))
        const host = `${hostname}:${port}`
        socket.write(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`)
        socket.write(`Authorization: Bearer ${value}\r\n\r\n`)
      })
    expect(await send('x'.repeat(20_000))).toMatch(/^HTTP\/1.1 431/)
    expect(await send('a\rx: y')).toMatch(/^HTTP\/1.1 400/)
    expect(await send('a\u0000b')).toMatch(/^HTTP\/1.1 400/)
    expect(await send('ann')).toMatch(/^HTTP\/1.1 200/)
  })

  it('accepts the public address in Host and Origin, behind a proxy', async () => {
    const origin = await startWithIdentity()
    const authorization = 'Bearer admin'
    const post = (headers: Record<string, string>) =>
      raw(origin, '/api/saved', { method: 'POST', authorization, ...headers })
    expect(await post({ host: 'gateway.example', origin: url })).toBe(200)
    expect(await post({ origin: url })).toBe(200)
    expect(await post({ host: 'evil.example' })).toBe(403)
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    expect(await post({ origin: 'http://localhost:1' })).toBe(403)
    expect(
      await raw(origin, '/.well-known/x', { method: 'POST', origin: 'http://localhost:1' }),
    ).toBe(403)
  })

  it('needs no token on other addresses, and accepts none', async () => {
    await expect(startWithIdentity({ token: 'secret' })).rejects.toMatchObject({
      code: 'token_and_identity',
    })
    const origin = await startWithIdentity({ host: '0.0.0.0', token: ' ' })
    expect((await get(`${origin}/mcp`))[0]).toBe(401)
    expect(await get(`${origin}/mcp`, 'ann')).toEqual([200, 'ann undefined'])
  })
})

function health(path: string): Health | undefined {
  return path === '/healthz' ? { status: 200, body: { status: 'ok' } } : undefined
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

  it.each(['', ' ', '\t\n'])('takes the token %j for none', async (token) => {
    await expect(start({ host: '0.0.0.0', token })).rejects.toMatchObject({
      code: 'missing_token',
      message: expect.stringContaining('TOOLSEARCH_TOKEN is set but empty'),
    })
    const origin = await start({ token })
    expect(await raw(origin, '/api/tools')).toBe(200)
  })

  it('never accepts an empty bearer token', async () => {
    const origin = await start({ token: 'secret' })
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer  ', 'bearer', '']) {
      expect(await raw(origin, '/api/tools', { authorization })).toBe(401)
    }
    expect(await raw(origin, '/api/tools', { authorization: 'bearer  secret ' })).toBe(200)
  })

  it('sends the headers of an event stream before its first event', async () => {
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

  it('closes the connections of clients that send their requests too slowly', async () => {
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
