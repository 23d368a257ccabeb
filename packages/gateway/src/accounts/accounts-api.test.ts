import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServerConfig } from '../config/gateway-config.ts'
import { type OAuthFixture, oauthFixture } from '../sign-in/oauth-server.fixtures.ts'
import { faultyServer, serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText } from '../upstreams/fixtures/watch.fixtures.ts'
import {
  ask,
  callback,
  connectAccount,
  createTeam,
  GATEWAY_URL,
  person,
  personValue,
  signInAs,
  startConnect,
  type Team,
} from './accounts.fixtures.ts'

let team: Team
let remote: OAuthFixture
let mail: ServerConfig
beforeEach(async () => {
  team = await createTeam()
  remote = await oauthFixture()
  mail = serverConfig(
    { kind: 'http', url: remote.url, headers: {} },
    { name: 'mail', description: 'Mail', credentials: { kind: 'person' } },
  )
})
afterEach(async () => {
  await team.close()
  await remote.close()
})

const alice = person('alice')
const bob = person('bob')

describe('connecting an account', () => {
  it('stores the tokens for the person, encrypted, and shows that it is connected', async () => {
    const replica = await team.replica([mail])
    expect((await ask(replica, alice, 'GET', '/api/accounts')).body).toMatchObject({
      accounts: [
        {
          server: 'mail',
          description: 'Mail',
          kind: 'sign-in',
          state: 'not-connected',
          canSignIn: true,
          values: [],
        },
      ],
    })
    const response = await connectAccount(replica, alice, 'mail', 'alice@mail')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${GATEWAY_URL}/#/accounts?connected=mail`)
    const after = await ask(replica, alice, 'GET', '/api/accounts')
    expect(after.body).toMatchObject({
      accounts: [{ state: 'connected', scope: 'read', updatedAt: expect.any(Number) }],
    })
    expect((await ask(replica, bob, 'GET', '/api/accounts')).body).toMatchObject({
      accounts: [{ state: 'not-connected' }],
    })
    expect(replica.events).toEqual([{ person: alice.id, server: 'mail', action: 'connect' }])
    const files = await readdir(team.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((each) => each.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), 'utf8')
      expect(text).not.toMatch(/access-|refresh-/)
    }
    expect(JSON.stringify(after)).not.toMatch(/access-|refresh-/)
  })

  it('sends a cookie that only the callback on this host can read', async () => {
    const replica = await team.replica([mail])
    const { cookie } = await ask(replica, alice, 'POST', '/api/accounts/mail/connect')
    expect(cookie).toMatch(
      /^__Host-toolsearch-connect=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('can be finished by another replica, once', async () => {
    const [one, other] = [await team.replica([mail]), await team.replica([mail])]
    const { url, cookie } = await startConnect(one, alice, 'mail')
    expect(url.searchParams.get('redirect_uri')).toBe(`${GATEWAY_URL}/accounts/callback`)
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    const back = await signInAs('alice@mail', url)
    expect((await callback(other, back, cookie)).status).toBe(303)
    const again = await callback(one, back, cookie)
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('has expired or was completed already')
    const upstream = one.people.serversFor(alice)!.upstreams.get('mail')!
    expect(await callText(upstream, 'open_tool')).toBe('open_tool was called by alice@mail')
  })

  it('does not work in the browser of another person', async () => {
    const replica = await team.replica([mail])
    // Mallory wants Alice to connect her mail to Mallory's account at the gateway, or the reverse.
    const { url } = await startConnect(replica, person('mallory'), 'mail')
    const ofAlice = await startConnect(replica, alice, 'mail')
    const back = await signInAs('alice@mail', url)
    const response = await callback(replica, back, ofAlice.cookie)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('started in a different browser')
    for (const who of [alice, person('mallory')]) {
      expect(await replica.store.list(who.id)).toEqual([])
    }
    expect(remote.asked).not.toContain('authorization_code')
  })

  it('does not work for a person who has signed in to the gateway in the meantime', async () => {
    const replica = await team.replica([mail], { signedIn: bob })
    const { url, cookie } = await startConnect(replica, alice, 'mail')
    const back = await signInAs('alice@mail', url)
    expect((await callback(replica, back, cookie)).status).toBe(400)
    expect(await replica.store.list(bob.id)).toEqual([])
  })

  it.each(['', 'state=', 'state=guess&code=x', 'code=x&iss=y'])(
    'does not accept a redirect that nobody started: "%s"',
    async (query) => {
      const replica = await team.replica([mail])
      const response = await callback(replica, `${GATEWAY_URL}/accounts/callback?${query}`)
      expect(response.status).toBe(400)
      expect(remote.asked).toEqual([])
    },
  )

  it('says why it failed, as plain text', async () => {
    const replica = await team.replica([mail])
    remote.trouble.deny = true
    const declined = await connectAccount(replica, alice, 'mail', 'alice@mail')
    expect(declined.status).toBe(400)
    expect(declined.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await declined.text()).toBe('The sign-in to mail was declined.\n')
    remote.trouble = Object.assign(remote.trouble, { deny: false, wrongIssuer: true })
    const impostor = await connectAccount(replica, alice, 'mail', 'alice@mail')
    expect(await impostor.text()).toContain('No credentials were sent.')
    expect(await replica.store.list(alice.id)).toEqual([])
  })

  it('registers one client for everybody', async () => {
    const replica = await team.replica([mail])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    await connectAccount(replica, bob, 'mail', 'bob@mail')
    expect(remote.asked.filter((each) => each === 'register')).toHaveLength(1)
  })

  it('can be started only a limited number of times', async () => {
    const replica = await team.replica([mail])
    const statuses: number[] = []
    for (let count = 0; count < 32; count++) {
      statuses.push((await ask(replica, alice, 'POST', '/api/accounts/mail/connect')).status)
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200))
    expect(statuses.slice(30)).toEqual([409, 409])
    expect((await ask(replica, bob, 'POST', '/api/accounts/mail/connect')).status).toBe(200)
  })
})

describe('the accounts API', () => {
  it('needs the values that are sent to the server', async () => {
    const headers = { 'x-key': personValue('KEY') }
    const connection = { kind: 'http', url: remote.url, headers } as const
    const replica = await team.replica([{ ...mail, connection }])
    const connect = () => ask(replica, alice, 'POST', '/api/accounts/mail/connect')
    expect((await connect()).body).toMatchObject({
      error: 'Enter what mail needs before you sign in to it.',
    })
    const values = { KEY: 'key-of-alice' }
    await ask(replica, alice, 'PUT', '/api/accounts/mail/values', { values })
    expect((await connect()).status).toBe(200)
  })

  it('leads to the page, and leaves other paths alone', async () => {
    const { api } = await team.replica([mail])
    const get = (path: string) => {
      const url = new URL(path, GATEWAY_URL)
      return api(new Request(url), url, { person: alice })
    }
    expect((await get('/accounts'))?.headers.get('location')).toBe(`${GATEWAY_URL}/#/accounts`)
    for (const path of ['/', '/api/accounts2', '/api/overview', '/accounts/other']) {
      expect(await get(path)).toBeUndefined()
    }
  })

  const tool = () =>
    faultyServer({}, { name: 'tool', credentials: { kind: 'person' } }) as ServerConfig
  const withValue = (): ServerConfig => {
    const config = tool()
    if (config.connection.kind !== 'stdio') throw new Error('unexpected')
    return {
      ...config,
      connection: { ...config.connection, env: { KEY: personValue('API_KEY'), MODE: 'x' } },
    }
  }

  it('stores values that it never returns', async () => {
    const replica = await team.replica([withValue()])
    const values = { API_KEY: 'secret-of-alice' }
    const put = await ask(replica, alice, 'PUT', '/api/accounts/tool/values', { values })
    expect(put).toMatchObject({ status: 204, body: undefined })
    const { body } = await ask(replica, alice, 'GET', '/api/accounts')
    expect(body).toMatchObject({
      accounts: [
        {
          kind: 'values',
          state: 'connected',
          canSignIn: false,
          values: [{ name: 'API_KEY', isSet: true }],
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('secret-of-alice')
    expect(replica.events).toEqual([{ person: alice.id, server: 'tool', action: 'set-values' }])
  })

  it.each([
    [undefined, 'The body must be JSON'],
    [{}, 'The body must be JSON'],
    [{ values: {} }, 'Enter at least one value'],
    [{ values: { OTHER: 'x' } }, 'does not use a value with this name. Use: API_KEY.'],
    [{ values: { API_KEY: 7 } }, 'API_KEY must be a text'],
    [{ values: { API_KEY: ' ' } }, 'API_KEY must be a text'],
    [{ values: { API_KEY: 'x'.repeat(40_000) } }, 'API_KEY must be a text'],
    [{ values: { API_KEY: 'x\0y' } }, 'API_KEY contains characters'],
    [{ values: { __proto__: { API_KEY: 'x' } } }, 'Enter at least one value'],
  ])('rejects invalid values: %j', async (sent, problem) => {
    const replica = await team.replica([withValue()])
    const { status, body } = await ask(replica, alice, 'PUT', '/api/accounts/tool/values', sent)
    expect(status).toBe(400)
    expect((body as { error: string }).error).toContain(problem)
  })

  it('rejects line breaks in values for headers', async () => {
    const headers = { 'x-key': personValue('API_KEY') }
    const config = { ...mail, connection: { kind: 'http' as const, url: remote.url, headers } }
    const replica = await team.replica([config])
    const put = (API_KEY: string) =>
      ask(replica, alice, 'PUT', '/api/accounts/mail/values', { values: { API_KEY } })
    expect((await put('a\r\nx-admin: yes')).status).toBe(400)
    expect((await put('fine')).status).toBe(204)
  })

  it('disconnects an account', async () => {
    const replica = await team.replica([mail])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    const upstream = replica.people.serversFor(alice)!.upstreams.get('mail')!
    await upstream.connect()
    const gone = await ask(replica, alice, 'DELETE', '/api/accounts/mail')
    expect(gone.body).toEqual({ server: 'mail', wasConnected: true, wasRevoked: true })
    expect((await ask(replica, alice, 'DELETE', '/api/accounts/mail')).body).toEqual({
      server: 'mail',
      wasConnected: false,
      wasRevoked: false,
    })
    expect(remote.asked.at(-1)).toBe('revoke')
    expect(replica.events.map(({ action }) => action)).toEqual(['connect', 'disconnect'])
    await expect.poll(() => upstream.status.state).toBe('needs-sign-in')
    expect(upstream.tools).toEqual([])
    expect(replica.people.open).toBe(0)
  })

  it('knows only servers with credentials of people that the person may use', async () => {
    const shared = serverConfig({ kind: 'http', url: remote.url, headers: {} }, { name: 'shared' })
    const replica = await team.replica([mail, shared, tool()], {
      mayUse: ({ id }, server) => id !== bob.id || server !== 'mail',
    })
    const names = async (who: typeof alice) => {
      const { body } = await ask(replica, who, 'GET', '/api/accounts')
      return (body as { accounts: { server: string }[] }).accounts.map(({ server }) => server)
    }
    expect(await names(alice)).toEqual(['mail', 'tool'])
    expect(await names(bob)).toEqual(['tool'])
    const hidden = await ask(replica, bob, 'POST', '/api/accounts/mail/connect')
    const missing = await ask(replica, bob, 'POST', '/api/accounts/none/connect')
    expect(hidden.status).toBe(404)
    expect(JSON.stringify(hidden.body)).toBe(JSON.stringify(missing.body).replace('none', 'mail'))
    expect((await ask(replica, alice, 'DELETE', '/api/accounts/shared')).status).toBe(404)
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('refuses changes from other sites: %o', async (headers) => {
    const replica = await team.replica([mail])
    for (const [method, path] of [
      ['POST', '/api/accounts/mail/connect'],
      ['DELETE', '/api/accounts/mail'],
      ['PUT', '/api/accounts/mail/values'],
    ] as const) {
      const body = method === 'PUT' ? { values: {} } : undefined
      expect((await ask(replica, alice, method, path, body, headers)).status).toBe(403)
    }
  })

  it('rejects other methods and paths', async () => {
    const replica = await team.replica([mail])
    const status = async (method: string, path: string) =>
      (await ask(replica, alice, method, path)).status
    expect(await status('POST', '/api/accounts')).toBe(405)
    expect(await status('GET', '/api/accounts/mail')).toBe(405)
    expect(await status('GET', '/api/accounts/mail/connect')).toBe(405)
    expect(await status('POST', '/api/accounts/mail/values')).toBe(405)
    expect(await status('GET', '/api/accounts/mail/other')).toBe(404)
    expect(await status('GET', '/api/accounts/mail/connect/x')).toBe(404)
    expect(await status('GET', '/api/accounts/%')).toBe(400)
  })
})
