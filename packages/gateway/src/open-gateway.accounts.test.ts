import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../testing/services/start-identity-provider.ts'
import { personValue, signInAs } from './accounts/accounts.fixtures.ts'
import { type ExchangeServer, startExchangeServer } from './accounts/exchange-server.fixtures.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { type OAuthFixture, oauthFixture } from './sign-in/oauth-server.fixtures.ts'
import { faultyServer } from './upstreams/fixtures/servers.fixtures.ts'

let folder: string
let url: string
let provider: IdentityProvider
let remote: OAuthFixture
let exchange: ExchangeServer
const open: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-people-'))
  provider = await startIdentityProvider()
  remote = await oauthFixture()
  const client = { id: 'gateway', secret: 'secret' }
  const { issue } = remote
  exchange = await startExchangeServer({ provider, audience: () => url, client, issue })
  // at the end, so that none of the others gets the same port
  url = `http://127.0.0.1:${await freePort()}`
  open.push(provider, remote, exchange)
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

function config(changes: NonNullable<ConfigFile['toolsearch']> = {}): ConfigFile {
  const { kind: _, ...local } = faultyServer().connection
  return {
    mcpServers: {
      shared: local,
      mail: { url: remote.url, toolsearch: { credentials: 'person' } },
      tool: {
        ...local,
        env: { API_KEY: personValue('API_KEY') },
        toolsearch: { credentials: 'person' },
      },
      orders: {
        url: remote.url,
        toolsearch: {
          credentials: {
            exchange: {
              tokenUrl: exchange.tokenUrl,
              clientId: 'gateway',
              clientSecret: 'secret',
              audience: 'orders',
            },
          },
        },
      },
    },
    toolsearch: {
      mode: 'passthrough',
      identity: { url, issuers: [{ issuer: provider.issuer }] },
      ...changes,
    },
  } as ConfigFile
}

async function serve(given = config(), serves = true): Promise<OpenGateway> {
  const gateway = await openGateway(given, {
    cacheFolder: join(folder, 'cache'),
    stateFolder: join(folder, 'state'),
    onWarning: () => {},
  })
  open.push(gateway)
  if (serves) await gateway.serveHttp({ port: Number(new URL(url).port) })
  return gateway
}

const tokenOf = (name: string) => provider.sign({ sub: name, aud: url })

async function connectClient(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const authProvider = { token: async () => token }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider }))
  open.push(client)
  return client
}

async function call(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name, arguments: {} })
  return (content as { text: string }[])[0]!.text
}

async function ask(token: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, origin: url },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function connectMail(token: string, login: string): Promise<Response> {
  const started = await ask(token, 'POST', '/api/accounts/mail/connect')
  const { url: signInUrl } = (await started.json()) as { url: string }
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const back = await signInAs(login, new URL(signInUrl))
  return fetch(back, { headers: { cookie }, redirect: 'manual' })
}

describe('a gateway for several people', () => {
  it('serves each person with their own accounts', async () => {
    await serve()
    const [alice, bob] = [await tokenOf('alice'), await tokenOf('bob')]
    const ofAlice = await connectClient(alice)
    expect(await call(ofAlice, 'orders__open_tool')).toBe('open_tool was called by alice')
    const missing = await call(ofAlice, 'mail__open_tool')
    expect(missing).not.toContain('was called')
    const connected = await connectMail(alice, 'alice@mail')
    expect(connected.headers.get('location')).toBe(`${url}/#/accounts?connected=mail`)
    expect((await connectMail(bob, 'bob@mail')).status).toBe(303)
    const ofBob = await connectClient(bob)
    await expect
      .poll(() => call(ofAlice, 'mail__open_tool'))
      .toBe('open_tool was called by alice@mail')
    await expect.poll(() => call(ofBob, 'mail__open_tool')).toBe('open_tool was called by bob@mail')
    expect(await call(ofBob, 'orders__open_tool')).toBe('open_tool was called by bob')

    const values = { values: { API_KEY: 'key-of-bob' } }
    expect((await ask(bob, 'PUT', '/api/accounts/tool/values', values)).status).toBe(204)
    await expect.poll(() => call(ofBob, 'tool__environment')).toContain('key-of-bob')
    const names = async (client: Client) => {
      const { tools } = await client.listTools()
      return tools.map(({ name }) => name)
    }
    expect(await names(ofBob)).toContain('tool__environment')
    expect(await names(ofAlice)).not.toContain('tool__environment')
    expect(await call(ofAlice, 'shared__environment')).not.toContain('API_KEY')
  })

  it('requires credentials for accounts, and leads to their page', async () => {
    await serve()
    expect((await fetch(new URL('/api/accounts', url))).status).toBe(401)
    expect((await ask('nonsense', 'GET', '/api/accounts')).status).toBe(401)
    const page = await fetch(new URL('/accounts', url), { redirect: 'manual' })
    expect(page.headers.get('location')).toBe(`${url}/#/accounts`)
    const list = await ask(await tokenOf('alice'), 'GET', '/api/accounts')
    expect(await list.json()).toMatchObject({
      accounts: [
        { server: 'mail', kind: 'sign-in', state: 'not-connected' },
        { server: 'tool', kind: 'values', state: 'not-connected' },
        { server: 'orders', kind: 'nothing', state: 'connected' },
      ],
    })
  })

  it('hides servers from people who may not use them', async () => {
    await serve(config({ access: { rules: [{ allow: ['shared/*', 'mail/*'] }] } }))
    const list = await ask(await tokenOf('alice'), 'GET', '/api/accounts')
    expect(await list.json()).toMatchObject({ accounts: [{ server: 'mail' }] })
    const hidden = await ask(await tokenOf('alice'), 'PUT', '/api/accounts/tool/values', {})
    expect(hidden.status).toBe(404)
  })

  it('records in the audit log what people do with their accounts', async () => {
    const gateway = await serve(config({ audit: {} }))
    const alice = await tokenOf('alice')
    await connectMail(alice, 'alice@mail')
    await ask(alice, 'PUT', '/api/accounts/tool/values', { values: { API_KEY: 'key-of-alice' } })
    await ask(alice, 'DELETE', '/api/accounts/mail')
    const { audit } = (await gateway.internals.operations())!
    await audit!.flush()
    const files = await readdir(join(folder, 'state'), { recursive: true })
    const log = files.find((file) => file.endsWith('.jsonl') && file.includes('audit'))
    const text = await readFile(join(folder, 'state', log!), 'utf8')
    const actions = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(actions.filter(({ action }) => action.startsWith('account.'))).toMatchObject([
      { action: 'account.connect', detail: { server: 'mail' } },
      { action: 'account.set-values', detail: { server: 'tool' } },
      { action: 'account.disconnect', detail: { server: 'mail' } },
    ])
    expect(text).not.toContain('key-of-alice')
  })

  it('starts no server of people for everybody', async () => {
    const gateway = await serve()
    expect(gateway.servers().map(({ name }) => name)).toEqual(['shared'])
  })

  it('does not open without a usable key', async () => {
    const encryption = { keyFile: join(folder, 'missing') }
    await expect(serve(config({ encryption }), false)).rejects.toMatchObject({
      code: 'invalid_encryption_key',
    })
  })
})

it('the person at the command line uses servers of people with environment variables', async () => {
  const gateway = await openGateway(config(), {
    cacheFolder: false,
    stateFolder: false,
    isLocal: true,
    env: { API_KEY: 'mine' },
    onWarning: () => {},
  })
  open.push(gateway)
  await gateway.ready()
  const states = gateway.servers().map(({ name, state }) => [name, state])
  expect(states).toEqual([
    ['shared', 'ready'],
    ['mail', 'needs-sign-in'],
    ['tool', 'ready'],
  ])
})
