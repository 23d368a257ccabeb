import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as UnauthorizedErrorV1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, createBrowser } from '../../../testing/services/browser.ts'
import { freePort } from '../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../../../testing/services/start-identity-provider.ts'
import { CALLBACK, type ClientAuth, clientAuth } from './identity/client-auth.fixtures.ts'
import type { ConfigFile, HttpService, OpenGateway } from './open-gateway.ts'
import { openGateway } from './open-gateway.ts'
import { modernServer } from './upstreams/fixtures/servers.fixtures.ts'

type Identity = NonNullable<NonNullable<ConfigFile['toolsearch']>['identity']>
type Issuer = NonNullable<Identity['issuers']>[number]

interface Signable {
  readonly provider: IdentityProvider
  readonly gateway: OpenGateway
  readonly service: HttpService
  /** The public address. */
  readonly url: string
}

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of open.reverse()) await each.close()
})

/** Starts an identity provider and a gateway that trusts it. */
async function start(
  issuer: (url: string) => Omit<Issuer, 'issuer'>,
  providerOptions: (url: string) => IdentityProviderOptions = () => ({}),
): Promise<Signable> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const provider = await startIdentityProvider(providerOptions(url))
  open.push(provider)
  const issuers = [{ issuer: provider.issuer, ...issuer(url) }]
  const identity = { url, issuers, administrators: ['admins'] }
  const profiles = { sales: {} }
  const { kind: _, ...entry } = modernServer().connection
  const gateway = await openGateway(
    { mcpServers: { modern: entry }, toolsearch: { identity, profiles } } as ConfigFile,
    { cacheFolder: false, stateFolder: false, onWarning: () => {} },
  )
  open.push(gateway)
  await gateway.ready()
  const service = await gateway.serveHttp({ port })
  return { provider, gateway, service, url }
}

const info = { name: 'test', version: '1' }

async function connectV2(url: string, { provider, visited }: ClientAuth): Promise<string[]> {
  const options = { authProvider: provider }
  const first = new StreamableHTTPClientTransport(new URL(url), options)
  await expect(new Client(info).connect(first)).rejects.toThrow(UnauthorizedError)
  await first.finishAuth(visited.at(-1)!.searchParams)
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

async function connectV1(url: string, { provider, visited }: ClientAuth): Promise<string[]> {
  const options = { authProvider: provider as never }
  const first = new TransportV1(new URL(url), options)
  await expect(new ClientV1(info).connect(first as never)).rejects.toThrow(UnauthorizedErrorV1)
  await first.finishAuth(visited.at(-1)!.searchParams.get('code')!)
  const client = new ClientV1(info)
  await client.connect(new TransportV1(new URL(url), options) as never)
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

const versions = [
  ['v1', connectV1],
  ['v2', connectV2],
] as const

describe('a gateway with an identity provider that has all MCP needs', () => {
  let signable: Signable
  beforeAll(async () => {
    signable = await start(() => ({ requiredScopes: ['tools'] }))
  })

  it.each(versions)('lets clients of the SDK %s register and sign in', async (_, connect) => {
    const auth = clientAuth(createBrowser(), 'ann')
    expect(await connect(signable.service.url, auth)).toContain('tool_search')
  })

  it.each(versions)('lets clients of the SDK %s sign in to a profile', async (_, connect) => {
    const auth = clientAuth(createBrowser(), 'ann')
    const tools = await connect(`${signable.service.url}/p/sales`, auth)
    expect(tools).toContain('tool_search')
    // its token is for this profile only
    const { access_token } = auth.saved.tokens as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(signable.service.url, { headers })).status).toBe(401)
    const unknown = `${signable.service.url}/p/unknown`
    expect((await fetch(unknown, { headers })).status).toBe(401)
  })

  it('renews the token of a client without its person', async () => {
    const auth = clientAuth(createBrowser(), 'ann')
    await connectV2(signable.service.url, auth)
    const before = auth.saved.tokens as { access_token: string; refresh_token: string }
    auth.saved.tokens = { ...before, access_token: 'gone' }
    const client = new Client(info)
    const options = { authProvider: auth.provider }
    await client.connect(new StreamableHTTPClientTransport(new URL(signable.service.url), options))
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
    expect(auth.visited).toHaveLength(1)
    const after = auth.saved.tokens as typeof before
    expect(after.refresh_token).not.toBe(before.refresh_token)
  })

  it('keeps a session to the person who opened it', async () => {
    const { provider, service, url } = signable
    const headers = async (sub: string, session?: string) => ({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${await provider.sign({ aud: url, sub, scope: 'tools' })}`,
      ...(session !== undefined && { 'mcp-session-id': session }),
    })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info }
    const opening = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const post = async (body: string, sub: string, session?: string, path = '') =>
      fetch(`${service.url}${path}`, { method: 'POST', headers: await headers(sub, session), body })
    const opened = await post(opening, 'ann')
    await opened.text()
    const session = opened.headers.get('mcp-session-id')!
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const params2 = { name: 'tool_search', arguments: { query: 'x' } }
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params2 })
    for (const body of [list, call]) {
      expect((await post(body, 'ann', session)).status).toBe(200)
      expect((await post(body, 'bob', session)).status).toBe(404)
      expect((await post(body, 'ann', session, '/p/sales')).status).toBe(404)
    }
    const stream = async (sub: string, method: string) =>
      (await fetch(service.url, { method, headers: await headers(sub, session) })).status
    expect(await stream('bob', 'GET')).toBe(404)
    expect(await stream('bob', 'DELETE')).toBe(404)
    expect(await stream('ann', 'DELETE')).toBe(200)
  })

  it('answers 404 for unknown profiles, but only to people who have signed in', async () => {
    const { provider, service, url } = signable
    const status = async (path: string, token?: string) => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      return (await fetch(`${service.url}${path}`, { method: 'POST', headers, body })).status
    }
    const token = await provider.sign({ aud: url, scope: 'tools' })
    expect(await status('/p/unknown', token)).toBe(404)
    expect(await status('/p/constructor', token)).toBe(404)
    expect(await status('/p/unknown')).toBe(401)
    expect(await status('/p/sales')).toBe(401)
  })
})

describe('a gateway with an identity provider like Entra', () => {
  const app = 'e0a5c8a2-app'
  let signable: Signable
  beforeAll(async () => {
    signable = await start(
      () => ({
        audience: [app],
        requiredScopes: ['tools'],
        proxy: {
          clientId: app,
          clientSecret: 'confidential',
          scopes: ['openid', 'offline_access', 'tools'],
        },
      }),
      (url) => ({
        entraAudience: app,
        clients: [
          {
            client_id: app,
            client_secret: 'confidential',
            token_endpoint_auth_method: 'client_secret_post',
            grant_types: ['authorization_code', 'refresh_token'],
            redirect_uris: [`${url}/oauth/callback`, `${url}/sign-in/callback`],
          },
        ],
      }),
    )
  })

  it.each(versions)('lets clients of the SDK %s sign in through its proxy', async (_, connect) => {
    const auth = clientAuth(createBrowser(), 'ann')
    expect(await connect(signable.service.url, auth)).toContain('tool_search')
    expect(auth.saved.client).toMatchObject({ client_id: app })
    expect(auth.saved.tokens).not.toHaveProperty('id_token')
    expect(auth.visited[0]!.searchParams.get('iss')).toBe(signable.url)
  })

  it('renews tokens through its proxy', async () => {
    const auth = clientAuth(createBrowser(), 'ann')
    await connectV2(signable.service.url, auth)
    const before = auth.saved.tokens as { access_token: string; refresh_token: string }
    auth.saved.tokens = { ...before, access_token: 'gone' }
    const client = new Client(info)
    const options = { authProvider: auth.provider }
    await client.connect(new StreamableHTTPClientTransport(new URL(signable.service.url), options))
    await client.close()
    expect(auth.visited).toHaveLength(1)
    expect(auth.saved.tokens).not.toEqual(before)
  })

  const authorizeUrl = (changes: Record<string, string | undefined> = {}) => {
    const url = new URL(`${signable.url}/oauth/authorize`)
    const parameters = {
      response_type: 'code',
      client_id: app,
      redirect_uri: CALLBACK,
      state: 's',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return url
  }

  it.each([
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1@evil.example/callback' },
    { redirect_uri: 'http://evil.example#http://127.0.0.1' },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: 'https://127.0.0.1/' },
    { redirect_uri: undefined },
    { client_id: 'other' },
    { response_type: 'token' },
    { code_challenge: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
  ])('sends nobody anywhere for %j', async (changes) => {
    const response = await fetch(authorizeUrl(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    const body = JSON.stringify({ redirect_uris: [changes.redirect_uri ?? 'https://evil.example'] })
    const headers = { 'content-type': 'application/json' }
    const registered = await fetch(`${signable.url}/oauth/register`, {
      method: 'POST',
      headers,
      body,
    })
    expect(registered.status).toBe(400)
  })

  it('asks before it sends a code to a client, even if the person has signed in before', async () => {
    const browser = createBrowser()
    await connectV2(signable.service.url, clientAuth(browser, 'ann'))
    const page = await browser.visit(authorizeUrl(), { onPage: () => false })
    expect(page.html).toContain('an application on this computer (127.0.0.1:9)')
    expect(page.url.href).toContain('/oauth/authorize')
    const response = await browser.request(authorizeUrl())
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('does not take the consent of another browser', async () => {
    const { html } = await createBrowser().visit(authorizeUrl(), { onPage: () => false })
    const ticket = /name="ticket" value="([^"]+)"/.exec(html)![1]!
    const post = (browser: Browser, value: string, headers = {}) =>
      browser.request(`${signable.url}/oauth/authorize`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ ticket: value }),
      })
    const victim = createBrowser()
    await victim.request(authorizeUrl())
    expect((await post(victim, ticket)).status).toBe(400)
    const own = await victim.visit(authorizeUrl(), { onPage: () => false })
    const ownTicket = /name="ticket" value="([^"]+)"/.exec(own.html)![1]!
    const foreign = { origin: 'http://localhost:1' }
    expect((await post(victim, ownTicket, foreign)).status).toBe(403)
    expect((await post(victim, ownTicket)).status).toBe(303)
  })

  it('passes a code on only to the browser that started, and takes it only from the same client', async () => {
    const browser = createBrowser()
    const atCallback = await browser.visit(authorizeUrl(), {
      until: `${signable.url}/oauth/callback`,
    })
    expect((await createBrowser().request(atCallback.url)).status).toBe(400)

    const { url } = await browser.visit(authorizeUrl(), { until: CALLBACK })
    const code = url.searchParams.get('code')!
    expect(url.searchParams.get('state')).toBe('s')
    const exchange = (changes: Record<string, string>) =>
      fetch(`${signable.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: app,
          code,
          redirect_uri: CALLBACK,
          code_verifier: 'y'.repeat(43),
          ...changes,
        }),
      })
    for (const verifier of ['y'.repeat(43), '', 'short']) {
      const wrong = await exchange({ code_verifier: verifier })
      expect(wrong.status).toBe(400)
      expect(await wrong.json()).toMatchObject({ error: 'invalid_grant' })
    }
    expect((await exchange({ client_id: 'other' })).status).toBe(401)
  })

  it.each([
    'client_credentials',
    'password',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '',
  ])('does not lend its secret to the grant %j', async (grant_type) => {
    const body = new URLSearchParams({ grant_type, client_id: app, scope: 'tools' })
    const response = await fetch(`${signable.url}/oauth/token`, { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' })
  })

  it('answers with JSON while the provider is down', async () => {
    const { provider, url } = signable
    provider.isDown = true
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: app,
      refresh_token: 'x',
    })
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    provider.isDown = false
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })
})
