import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import {
  referenceServer,
  serverConfig,
  startHttpServer,
} from '../upstreams/fixtures/servers.fixtures.ts'
import { callText, createUpstreams, until } from '../upstreams/fixtures/watch.fixtures.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import {
  type OAuthFixture,
  type OAuthFixtureOptions,
  oauthFixture,
  visit,
} from './oauth-server.fixtures.ts'
import { createPostgresSignInStore } from './postgres-sign-in-store.ts'
import { remoteServer } from './remote-server.ts'
import { type SignedIn, signIn } from './sign-in.ts'
import {
  createSignInStore,
  type OwnedSignIns,
  type SignInFiles,
  type SignInStore,
} from './sign-in-store.ts'
import { createSignIns } from './sign-ins.ts'
import { createStoredTokens } from './stored-tokens.ts'

let folder: string
let store: SignInFiles
const upstreams = createUpstreams()
const fixtures: OAuthFixture[] = []
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-sign-in-'))
  store = createSignInStore(join(folder, 'sign-ins'))
})
afterEach(async () => {
  await upstreams.closeAll()
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()))
  for (const child of children.splice(0)) child.kill()
})

async function fixture(options?: OAuthFixtureOptions): Promise<OAuthFixture> {
  const made = await oauthFixture(options)
  fixtures.push(made)
  return made
}

function config({ url }: OAuthFixture, oauth?: OAuthConfig, headers: Record<string, string> = {}) {
  return serverConfig({ kind: 'http', url, headers, ...(oauth && { oauth }) })
}

function open(server: ReturnType<typeof config>, from: SignInStore = store): Upstream {
  return upstreams.open(server, { authFor: createSignIns(from).authFor })
}

function enter(
  server: ReturnType<typeof config>,
  onUrl: (url: URL) => void = (url) => void visit(url),
  signal: AbortSignal = new AbortController().signal,
): Promise<SignedIn> {
  return signIn(remoteServer(server)!, { store, onUrl, signal })
}

describe('a server that requires a sign-in', () => {
  it('shows the command to run, without contacting its authorization server', async () => {
    const remote = await fixture()
    const upstream = open(config(remote))
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'needs-sign-in',
      detail: 'server requires a sign-in. Run: toolsearch sign-in server',
    })
    expect(remote.headers).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('works after a sign-in, which is stored in a file that only its owner can read', async () => {
    const remote = await fixture()
    const server = config(remote)
    expect(await enter(server)).toEqual({ issuer: remote.issuer, scope: 'read', isLasting: true })
    const upstream = open(server)
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
    expect(await callText(upstream, 'open_tool')).toBe('open_tool was called')

    const [file, ...others] = await readdir(store.folder)
    expect(others).toEqual([])
    expect((await stat(join(store.folder, file!))).mode & 0o777).toBe(0o600)
    expect((await stat(store.folder)).mode & 0o777).toBe(0o700)
    const elsewhere = open({ ...server, name: 'other' })
    await elsewhere.connect()
    expect(elsewhere.status.state).toBe('needs-sign-in')
  })

  it('may use the SSE transport', async () => {
    const program = referenceServer('everything')
    const { url, child } = await startHttpServer(() => [program, 'sse'])
    children.push(child)
    const remote = await fixture({ inFrontOf: `${url}/sse` })
    const server = serverConfig({ kind: 'sse', url: remote.url, headers: {} })
    const upstream = open(server)
    await upstream.connect()
    expect(upstream.status.detail).toContain('Run: toolsearch sign-in server')
    await enter(server)
    remote.expireAccess()
    await upstream.connect()
    expect(await callText(upstream, 'echo', { message: 'a' })).toBe('Echo: a')
    remote.expireAccess()
    expect(await callText(upstream, 'echo', { message: 'b' })).toBe('Echo: b')
  })

  it('does not share its configured headers with the authorization server', async () => {
    const remote = await fixture()
    await enter(config(remote, undefined, { 'X-Api-Key': 'mine' }))
    expect(remote.headers.length).toBeGreaterThan(2)
    expect(remote.headers.filter((each) => each['x-api-key'])).toEqual([])
  })
})

describe('an expired token', () => {
  it('is renewed only once for all rejected calls, across replicas with a database', async () => {
    const remote = await fixture()
    const server = config(remote)
    const replicas = await openReplicas()
    const [one, other] = replicas.map((each) => createPostgresSignInStore(each.database, each))
    const signal = new AbortController().signal
    await signIn(remoteServer(server)!, { store: one!, onUrl: (url) => void visit(url), signal })
    const upstreams = [open(server, one), open(server, other)]
    await Promise.all(upstreams.map((each) => each.connect()))
    remote.expireAccess()
    const calls = [...upstreams, ...upstreams].map((each) => callText(each, 'open_tool'))
    expect(await Promise.all(calls)).toEqual(Array(4).fill('open_tool was called'))
    expect(remote.asked.filter((each) => each === 'refresh_token')).toHaveLength(1)
    expect(remote.refused).toEqual([])
  })

  it('is renewed only once for all rejected calls, across processes', async () => {
    const remote = await fixture()
    const server = config(remote)
    await enter(server)
    const one = open(server)
    const other = open(server, createSignInStore(store.folder))
    await Promise.all([one.connect(), other.connect()])
    remote.expireAccess()
    const calls = [one, other, one, other].map((each) => callText(each, 'open_tool'))
    expect(await Promise.all(calls)).toEqual(Array(4).fill('open_tool was called'))
    expect(remote.asked.filter((each) => each === 'refresh_token')).toHaveLength(1)
    expect(remote.refused).toEqual([])
  })

  it('is not used again if the file is read while the new one is written', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const slow: OwnedSignIns = {
      read: store.read,
      withLock: (key, task) =>
        store.withLock(key, ({ read, write }) =>
          task({
            read,
            async write(next) {
              await source.reload()
              return write(next)
            },
          }),
        ),
    }
    const source = createStoredTokens(remoteServer(server)!, slow, '')
    const expired = await source.token()
    await source.renew(expired, {})
    expect(await source.token()).not.toBe(expired)
  })

  it('requires a new sign-in if it cannot be renewed, and a new sign-in is noticed', async () => {
    const remote = await fixture()
    const server = config(remote)
    await enter(server)
    const signIns = createSignIns(store)
    const upstream = upstreams.open(server, { authFor: signIns.authFor })
    await upstream.connect()
    const changed: string[] = []
    const stop = signIns.watch((name) => changed.push(name))
    remote.revoke()
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({ code: 'needs-sign-in' })
    expect(upstream.status).toMatchObject({
      state: 'needs-sign-in',
      detail: 'The sign-in to server has expired. Run: toolsearch sign-in server',
    })
    const before = remote.asked.length
    await upstream.connect()
    expect(remote.asked).toHaveLength(before)

    await enter(server)
    await until(() => changed.includes('server'))
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
    stop()
  })

  it('is kept while the authorization server is unavailable', async () => {
    const remote = await fixture()
    const server = config(remote)
    await enter(server)
    const upstream = open(server)
    remote.expireAccess()
    remote.trouble.tokenStatus = 503
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('the token could not be renewed'),
    })
    delete remote.trouble.tokenStatus
    await until(() => upstream.status.state === 'ready')
  })
})

describe('a tool that requires more scopes', () => {
  it('rejects calls with the command to run, other tools work, and the next sign-in requests the scope', async () => {
    const remote = await fixture({ toolScope: 'write' })
    const server = config(remote)
    await enter(server)
    const upstream = open(server)
    await upstream.connect()
    await expect(callText(upstream, 'secret_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message:
        'server requires additional permissions (scope "write"). Run: toolsearch sign-in server',
    })
    expect(upstream.status.state).toBe('ready')
    expect(await callText(upstream, 'open_tool')).toBe('open_tool was called')

    expect(await enter(server)).toMatchObject({ scope: 'read write' })
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
  })

  it('gets a token with these scopes automatically with client credentials', async () => {
    const remote = await fixture({ toolScope: 'write', client: { id: 'robot', secret: 's3cret' } })
    const { issuer } = remote
    const oauth = {
      grant: 'client_credentials',
      clientId: 'robot',
      clientSecret: 's3cret',
    } as const
    const upstream = open(config(remote, { ...oauth, issuer }))
    await upstream.connect()
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
    remote.expireAccess()
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
    expect(await readdir(folder)).toEqual([])

    const wrong = open(config(remote, { ...oauth, issuer, clientSecret: 'wrong' }))
    await wrong.connect()
    expect(wrong.status).toMatchObject({
      state: 'needs-sign-in',
      detail: expect.stringContaining('Check its "oauth" settings in the configuration.'),
    })
    const elsewhere = open(config(remote, { ...oauth, issuer: 'https://other.example' }))
    remote.asked.length = 0
    await elsewhere.connect()
    expect(elsewhere.status.state).toBe('needs-sign-in')
    expect(remote.asked).toEqual([])
  })
})

describe('signing in', () => {
  it('accepts only the redirect with its own state, and only once', async () => {
    const remote = await fixture()
    const seen: number[] = []
    await enter(config(remote), async (url) => {
      const back = new URL(url.searchParams.get('redirect_uri')!)
      seen.push((await visit(new URL('/elsewhere', back))).status)
      back.searchParams.set('code', 'stolen')
      seen.push((await visit(back)).status)
      back.searchParams.set('state', 'wrong')
      seen.push((await visit(back)).status)
      const { status, text } = await visit(url)
      seen.push(status)
      expect(text).toContain('You can close this page')
    })
    await until(() => seen.length === 4)
    expect(seen).toEqual([404, 400, 400, 200])
    expect(remote.asked.filter((each) => each === 'authorization_code')).toHaveLength(1)
  })

  it('tolerates connections that send nothing or an invalid request', async () => {
    const remote = await fixture()
    const sockets: Socket[] = []
    const opened = async (url: URL): Promise<Socket> => {
      const { port } = new URL(url.searchParams.get('redirect_uri')!)
      const socket = createConnection(Number(port), '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    await enter(config(remote), async (url) => {
      await opened(url)
      const odd = await opened(url)
      odd.write('GET // HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [answer] = await once(odd, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1.1 404/)
      await visit(url)
    })
    for (const socket of sockets) socket.destroy()
  })

  it('registers once and reuses its port', async () => {
    const remote = await fixture()
    const server = config(remote)
    const ports: string[] = []
    const note = (url: URL) => {
      ports.push(new URL(url.searchParams.get('redirect_uri')!).port)
      void visit(url)
    }
    await enter(server, note)
    await enter(server, note)
    expect(ports[1]).toBe(ports[0])
    expect(remote.asked.filter((each) => each === 'register')).toHaveLength(1)
  })

  it('registers again after a failed sign-in', async () => {
    const remote = await fixture()
    const server = config(remote)
    await enter(server)
    const { client } = (await store.read(remoteServer(server)!))!
    await store.write(remoteServer(server)!, { client: client! })
    remote.trouble.deny = true
    await expect(enter(server)).rejects.toThrow('declined')
    remote.trouble.deny = false
    await enter(server)
    expect(remote.asked.filter((each) => each === 'register')).toHaveLength(2)
  })

  it('does not register if a client id is configured', async () => {
    const remote = await fixture({ client: { id: 'hand', secret: 's3cret' } })
    const oauth = { clientId: 'hand', clientSecret: 's3cret', scope: 'all' }
    const server = config(remote, { grant: 'authorization_code', ...oauth })
    expect(await enter(server)).toMatchObject({ scope: 'all' })
    expect(remote.asked).not.toContain('register')
    const [file] = await readdir(store.folder)
    expect(await readFile(join(store.folder, file!), 'utf8')).not.toContain('s3cret')

    const upstream = open(server)
    remote.expireAccess()
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
  })

  it('does not register if the authorization server supports client metadata documents', async () => {
    const remote = await fixture({ readsDocuments: true })
    const clientMetadataUrl = 'https://x.example/client.json'
    const server = config(remote, { grant: 'authorization_code', clientMetadataUrl })
    await enter(server)
    expect(remote.asked).toEqual(['authorize', 'authorization_code'])
    expect(await store.read(remoteServer(server)!)).toMatchObject({
      client: { client_id: clientMetadataUrl },
    })
  })

  it('cannot be completed with a stolen code', async () => {
    const remote = await fixture()
    const exchange = async (address: URL, back: string, code_verifier: string) => {
      const { searchParams } = new URL(back)
      const response = await fetch(`${remote.issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: address.searchParams.get('client_id')!,
          redirect_uri: address.searchParams.get('redirect_uri')!,
          code: searchParams.get('code')!,
          code_verifier,
        }),
      })
      return response.status
    }
    const statuses: number[] = []
    let seen: [URL, string] | undefined
    await enter(config(remote), async (url) => {
      const thief = await fetch(url, { redirect: 'manual' })
      statuses.push(await exchange(url, thief.headers.get('location')!, 'guessed'))
      const own = await fetch(url, { redirect: 'manual' })
      seen = [url, own.headers.get('location')!]
      await visit(seen[1])
    })
    statuses.push(await exchange(...seen!, 'guessed'))
    expect(statuses).toEqual([400, 400])
    expect(remote.refused).toEqual(['invalid_grant', 'invalid_grant'])
  })

  it('sends the client secret only to the configured issuer', async () => {
    const remote = await fixture({ client: { id: 'hand', secret: 's3cret' } })
    const oauth = { clientId: 'hand', clientSecret: 's3cret', issuer: 'https://other.example' }
    const entering = enter(config(remote, { grant: 'authorization_code', ...oauth }))
    await expect(entering).rejects.toThrow('No credentials were sent')
    expect(remote.asked).toEqual([])
  })

  it('reports why it failed, and keeps the earlier sign-in', async () => {
    const remote = await fixture()
    const server = config(remote)
    await enter(server)
    const stored = await store.read(remoteServer(server)!)

    remote.trouble.deny = true
    await expect(enter(server)).rejects.toThrow('The sign-in to server was declined.')
    remote.trouble = Object.assign(remote.trouble, { deny: false, wrongIssuer: true })
    await expect(enter(server)).rejects.toThrow('did not come from the authorization server')
    remote.trouble.wrongIssuer = false
    remote.trouble.noRegistration = true
    await expect(enter({ ...server, name: 'new' })).rejects.toThrow('"clientId"')
    expect(await store.read(remoteServer(server)!)).toEqual(stored)
  })

  it('stops listening when it is cancelled', async () => {
    const remote = await fixture()
    const stop = new AbortController()
    let back = ''
    const entering = enter(
      config(remote),
      (url) => {
        back = url.searchParams.get('redirect_uri')!
        stop.abort(new Error('cancelled by the user'))
      },
      stop.signal,
    )
    await expect(entering).rejects.toThrow('cancelled by the user')
    await expect(visit(back)).rejects.toThrow('fetch failed')
    expect(await readdir(folder)).toEqual([])
  })
})
