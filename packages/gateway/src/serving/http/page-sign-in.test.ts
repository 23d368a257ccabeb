import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../../../../testing/services/browser.ts'
import { freePort } from '../../../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../../testing/services/start-identity-provider.ts'
import type { IssuerConfig } from '../../config/team-config.ts'
import { callerOf } from '../../identity/caller.ts'
import { createCookie } from '../../identity/cookies.ts'
import { createIdentity } from '../../identity/create-identity.ts'
import type { Identity } from '../../identity/identity.ts'
import { createIdentityStores } from '../../identity/identity-stores.ts'
import { personId } from '../../identity/person.ts'
import { createMemoryState } from '../../state/memory-state.ts'
import type { SharedState } from '../../state/shared-state.ts'
import { guardedServer, type Serve } from './guarded-server.ts'

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of open.reverse()) await each.close()
})

const client = { client_id: 'page', token_endpoint_auth_method: 'none' }
let provider: IdentityProvider
let url = ''
let identity: Identity
const clock = { offset: 0 }
const memory = createMemoryState()
const stored: string[] = []
const refused: string[] = []
/** Remembers what is stored. */
const state: SharedState = {
  ...memory,
  set(key, value, ttlMs) {
    stored.push(key, value)
    return memory.set(key, value, ttlMs)
  },
}

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const redirect_uris = [`${url}/sign-in/callback`]
  provider = await startIdentityProvider({ clients: [{ ...client, redirect_uris }] })
  open.push(provider)
  provider.people.set('ann', { groups: ['admins'] })
  const serve: Serve = (request, response) => response.end(callerOf(request.auth).person.id)
  const server = await guardedServer(new Map([['/mcp', serve]]), {
    port,
    identity: {
      url,
      authenticate: (request) => identity.authenticate(request),
      serves: (path) => identity.serves(path),
      handle: (...request) => identity.handle(...request),
    },
    onRefused: ({ path, status, message }) => refused.push(`${status} ${path} ${message}`),
    pages: async (_, __, { person }) => Response.json(person),
  })
  open.push(server)
})

/** Creates an identity, and uses it from now on. */
async function start(issuer: Partial<IssuerConfig> = {}): Promise<void> {
  const issuers = [
    {
      issuer: provider.issuer,
      algorithms: ['RS256'],
      groupsClaim: 'groups',
      requiredScopes: [],
      page: { clientId: 'page' },
      ...issuer,
    },
  ]
  const administrators = [{ issuer: provider.issuer, kind: 'group' as const, name: 'admins' }]
  const config = { url, issuers, administrators, clockSkewSeconds: 5, apiKeys: true }
  identity = await createIdentity(config, {
    stores: createIdentityStores(state),
    onWarning: () => {},
    now: () => Date.now() + clock.offset,
  })
}

describe('signing in with a browser', () => {
  it('opens a session for the API, and for nothing else', async () => {
    await start()
    const browser = createBrowser()
    expect((await browser.request(`${url}/api/me`)).status).toBe(401)
    const { status, html, url: end } = await browser.visit(`${url}/sign-in?return=/api/me?x%23y`)
    expect([status, end.href]).toEqual([200, `${url}/api/me?x#y`])
    const person = JSON.parse(html)
    expect(person).toMatchObject({
      id: personId(provider.issuer, 'ann'),
      email: 'ann@example.com',
      groups: ['admins'],
      role: 'administrator',
      token: expect.any(String),
    })
    expect((await browser.request(`${url}/mcp`)).status).toBe(401)
    const post = (origin: string) =>
      browser.request(`${url}/api/me`, { method: 'POST', headers: { origin } })
    expect((await post(url)).status).toBe(200)
    expect((await post('http://localhost:1')).status).toBe(403)
    const [cookie = ''] = browser.cookies(url).values()
    const known = [person.token, 'ann', provider.issuer, ...browser.cookies(url).values()]
    for (const secret of known) expect(stored.join('\n')).not.toContain(secret)
    expect(cookie).not.toBe('')
  })

  it('is known to all replicas, until it expires', async () => {
    await start()
    const browser = createBrowser()
    await browser.visit(`${url}/sign-in`, { login: 'bob' })
    await start()
    const me = async () => {
      const response = await browser.request(`${url}/api/me`)
      return [response.status, ((await response.json()) as { role?: string }).role]
    }
    expect(await me()).toEqual([200, 'member'])
    clock.offset = 601_000
    expect((await me())[0]).toBe(401)
    clock.offset = 0
  })

  it('ends with signing out, even for those who kept the cookie', async () => {
    await start()
    const browser = createBrowser()
    await browser.visit(`${url}/sign-in`)
    const cookie = [...browser.cookies(url)].map((pair) => pair.join('=')).join('; ')
    const me = async () => (await fetch(`${url}/api/me`, { headers: { cookie } })).status
    expect(await me()).toBe(200)
    expect((await browser.request(`${url}/sign-out`)).status).toBe(405)
    const signOut = (origin: string) =>
      browser.request(`${url}/sign-out`, { method: 'POST', headers: { origin } })
    expect((await signOut('http://localhost:1')).status).toBe(403)
    expect(await me()).toBe(200)
    expect(await (await signOut(url)).text()).toContain('You have signed out')
    expect(await me()).toBe(401)
    expect(browser.cookies(url).has('toolsearch')).toBe(false)
  })

  it('never leads to another site', async () => {
    await start()
    for (const target of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '\\\\x',
      '',
    ]) {
      const browser = createBrowser()
      const query = new URLSearchParams({ return: target })
      const { url: end } = await browser.visit(`${url}/sign-in?${query}`)
      expect(end.href).toBe(`${url}/`)
    }
  })

  it('can be completed only once, and only in the browser that started it', async () => {
    await start()
    const browser = createBrowser()
    const stop = { until: `${url}/sign-in/callback` }
    const first = await browser.visit(`${url}/sign-in`, stop)
    const victim = createBrowser()
    expect((await victim.request(first.url)).status).toBe(400)
    expect((await browser.request(first.url)).status).toBe(303)
    // the provider accepts a code only once
    expect((await browser.request(first.url)).status).toBe(503)
    const invented = new URL(first.url)
    invented.searchParams.set('state', 'x'.repeat(43))
    expect((await browser.request(invented)).status).toBe(400)
  })

  it('reports sign-ins that fail, for the audit log', async () => {
    await start()
    refused.length = 0
    const browser = createBrowser()
    const stop = { until: `${url}/sign-in/callback` }
    const { url: end } = await browser.visit(`${url}/sign-in`, stop)
    await createBrowser().request(end)
    const denied = new URL(end)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    await browser.request(denied)
    const wrong = new URL(end)
    wrong.searchParams.set('code', 'wrong')
    await browser.request(wrong)
    expect((await browser.request(end)).status).toBe(303)
    expect(refused).toEqual([
      expect.stringMatching('^400 /sign-in/callback This sign-in was started in another browser'),
      '400 /sign-in/callback The identity provider refused the sign-in.',
      expect.stringMatching('^503 /sign-in/callback The identity provider cannot be reached'),
    ])
  })

  it('rejects a code that belongs to another sign-in, and an answer of another issuer', async () => {
    await start()
    const [one, other] = [createBrowser(), createBrowser()]
    const stop = { until: `${url}/sign-in/callback` }
    const stolen = (await one.visit(`${url}/sign-in`, stop)).url.searchParams.get('code')!
    const injected = (await other.visit(`${url}/sign-in`, stop)).url
    injected.searchParams.set('code', stolen)
    expect((await other.request(injected)).status).toBe(503)
    const mixed = (await other.visit(`${url}/sign-in`, stop)).url
    mixed.searchParams.set('iss', 'https://evil.example')
    expect((await other.request(mixed)).status).toBe(503)
    expect((await other.request(`${url}/api/me`)).status).toBe(401)
  })

  it('uses the ID token if access tokens are not for the gateway', async () => {
    await start({ audience: ['something else'] })
    const { html } = await createBrowser().visit(`${url}/sign-in?return=/api/me`)
    const person = JSON.parse(html)
    expect(person).toMatchObject({ subject: 'ann', groups: ['admins'], role: 'administrator' })
    expect(person).not.toHaveProperty('token')
  })

  it('fails if there is no token with the required scopes', async () => {
    await start({
      requiredScopes: ['tools'],
      page: { clientId: 'page', scopes: ['profile'] },
    })
    const { html, status } = await createBrowser().visit(`${url}/sign-in`)
    expect(status).toBe(400)
    expect(html).toContain('needs the scope tools')
  })

  it('explains what to configure if no client is registered for it', async () => {
    await start({ page: undefined as never })
    const { html, status } = await createBrowser().visit(`${url}/sign-in`)
    expect(status).toBe(400)
    expect(html).toContain('toolsearch.identity.issuers[].page')
  })

  it('says so if the provider is down', async () => {
    await start()
    provider.isDown = true
    const { status } = await createBrowser().visit(`${url}/sign-in`)
    provider.isDown = false
    expect(status).toBe(503)
  })
})

describe('createCookie', () => {
  it('is out of reach for scripts, other sites and unencrypted connections', () => {
    const cookie = createCookie('x', 'https://gateway.example')
    const set = cookie.set('value', 60)
    expect(set).toBe('__Host-x=value; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure')
    expect(cookie.read('a=b; __Host-x=value; x=other')).toBe('value')
    expect(cookie.read('x=other')).toBeUndefined()
  })
})
