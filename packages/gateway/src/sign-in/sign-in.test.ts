import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OAuthConfig } from '../config/gateway-config.ts'
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
import { remoteServer } from './remote-server.ts'
import { type SignedIn, signIn } from './sign-in.ts'
import { createSignInStore, type SignInStore } from './sign-in-store.ts'
import { createSignIns } from './sign-ins.ts'

let folder: string
let store: SignInStore
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
  await rm(folder, { recursive: true, force: true })
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

describe('a server that wants a sign-in', () => {
  it('is told with the command to run, and nothing is asked of its authorization server', async () => {
    const behind = await fixture()
    const upstream = open(config(behind))
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'needs-sign-in',
      detail: 'server wants a sign-in, run: toolsearch sign-in server',
    })
    expect(behind.headers).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('lets in who has signed in, and keeps that in a file for its owner alone', async () => {
    const behind = await fixture()
    const server = config(behind)
    expect(await enter(server)).toEqual({ issuer: behind.issuer, scope: 'read', isLasting: true })
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

  it('may speak the older transport', async () => {
    const program = referenceServer('everything')
    const { url, child } = await startHttpServer(() => [program, 'sse'])
    children.push(child)
    const behind = await fixture({ inFrontOf: `${url}/sse` })
    const server = serverConfig({ kind: 'sse', url: behind.url, headers: {} })
    const upstream = open(server)
    await upstream.connect()
    expect(upstream.status.detail).toContain('run: toolsearch sign-in server')
    await enter(server)
    behind.expireAccess()
    await upstream.connect()
    expect(await callText(upstream, 'echo', { message: 'a' })).toBe('Echo: a')
    behind.expireAccess()
    expect(await callText(upstream, 'echo', { message: 'b' })).toBe('Echo: b')
  })

  it('sends the headers of its configuration to nobody else', async () => {
    const behind = await fixture()
    await enter(config(behind, undefined, { 'X-Api-Key': 'mine' }))
    expect(behind.headers.length).toBeGreaterThan(2)
    expect(behind.headers.filter((each) => each['x-api-key'])).toEqual([])
  })
})

describe('a token that has expired', () => {
  it('is renewed once for all calls that were refused with it, in whatever process', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const one = open(server)
    const other = open(server, createSignInStore(store.folder))
    await Promise.all([one.connect(), other.connect()])
    behind.expireAccess()
    const calls = [one, other, one, other].map((each) => callText(each, 'open_tool'))
    expect(await Promise.all(calls)).toEqual(Array(4).fill('open_tool was called'))
    expect(behind.asked.filter((each) => each === 'refresh_token')).toHaveLength(1)
    expect(behind.refused).toEqual([])
  })

  it('that cannot be renewed ends the sign-in, and a new one is noticed', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const signIns = createSignIns(store)
    const upstream = upstreams.open(server, { authFor: signIns.authFor })
    await upstream.connect()
    const changed: string[] = []
    const stop = signIns.watch((name) => changed.push(name))
    behind.revoke()
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({ code: 'needs-sign-in' })
    expect(upstream.status).toMatchObject({
      state: 'needs-sign-in',
      detail: 'The sign-in to server has ended, run: toolsearch sign-in server',
    })
    const before = behind.asked.length
    await upstream.connect()
    expect(behind.asked).toHaveLength(before)

    await enter(server)
    await until(() => changed.includes('server'))
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
    stop()
  })

  it('is not given up when the authorization server is in trouble', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const upstream = open(server)
    behind.expireAccess()
    behind.trouble.tokenStatus = 503
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('its sign-in could not be renewed'),
    })
    delete behind.trouble.tokenStatus
    await until(() => upstream.status.state === 'ready')
  })
})

describe('a tool that wants more than was granted', () => {
  it('is refused with what to do, others go on, and the next sign-in asks for it', async () => {
    const behind = await fixture({ toolScope: 'write' })
    const server = config(behind)
    await enter(server)
    const upstream = open(server)
    await upstream.connect()
    await expect(callText(upstream, 'secret_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message:
        'server wants a sign-in that reaches further (scope "write"), run: toolsearch sign-in server',
    })
    expect(upstream.status.state).toBe('ready')
    expect(await callText(upstream, 'open_tool')).toBe('open_tool was called')

    expect(await enter(server)).toMatchObject({ scope: 'read write' })
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
  })

  it('gets it by itself where no person is needed', async () => {
    const behind = await fixture({ toolScope: 'write', client: { id: 'robot', secret: 's3cret' } })
    const { issuer } = behind
    const oauth = {
      grant: 'client_credentials',
      clientId: 'robot',
      clientSecret: 's3cret',
    } as const
    const upstream = open(config(behind, { ...oauth, issuer }))
    await upstream.connect()
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
    behind.expireAccess()
    expect(await callText(upstream, 'secret_tool')).toBe('secret_tool was called')
    expect(await readdir(folder)).toEqual([])

    const wrong = open(config(behind, { ...oauth, issuer, clientSecret: 'wrong' }))
    await wrong.connect()
    expect(wrong.status).toMatchObject({
      state: 'needs-sign-in',
      detail: expect.stringContaining('See its "oauth" in the configuration.'),
    })
    const elsewhere = open(config(behind, { ...oauth, issuer: 'https://other.example' }))
    behind.asked.length = 0
    await elsewhere.connect()
    expect(elsewhere.status.state).toBe('needs-sign-in')
    expect(behind.asked).toEqual([])
  })
})

describe('signing in', () => {
  it('waits for the answer with its own state, and takes it once', async () => {
    const behind = await fixture()
    const seen: number[] = []
    await enter(config(behind), async (url) => {
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
    expect(behind.asked.filter((each) => each === 'authorization_code')).toHaveLength(1)
  })

  it('bears with connections that say nothing or nonsense', async () => {
    const behind = await fixture()
    const sockets: Socket[] = []
    const opened = async (url: URL): Promise<Socket> => {
      const { port } = new URL(url.searchParams.get('redirect_uri')!)
      const socket = createConnection(Number(port), '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    await enter(config(behind), async (url) => {
      await opened(url)
      const odd = await opened(url)
      odd.write('GET // HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [answer] = await once(odd, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1.1 404/)
      await visit(url)
    })
    for (const socket of sockets) socket.destroy()
  })

  it('registers once, and again only for another port', async () => {
    const behind = await fixture()
    const server = config(behind)
    const ports: string[] = []
    const note = (url: URL) => {
      ports.push(new URL(url.searchParams.get('redirect_uri')!).port)
      void visit(url)
    }
    await enter(server, note)
    await enter(server, note)
    expect(ports[1]).toBe(ports[0])
    expect(behind.asked.filter((each) => each === 'register')).toHaveLength(1)
  })

  it('registers anew after a sign-in that came to nothing', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const { client } = (await store.read(remoteServer(server)!))!
    await store.write(remoteServer(server)!, { client: client! })
    behind.trouble.deny = true
    await expect(enter(server)).rejects.toThrow('declined')
    behind.trouble.deny = false
    await enter(server)
    expect(behind.asked.filter((each) => each === 'register')).toHaveLength(2)
  })

  it('registers nothing with a client that was registered by hand', async () => {
    const behind = await fixture({ client: { id: 'hand', secret: 's3cret' } })
    const oauth = { clientId: 'hand', clientSecret: 's3cret', scope: 'all' }
    const server = config(behind, { grant: 'authorization_code', ...oauth })
    expect(await enter(server)).toMatchObject({ scope: 'all' })
    expect(behind.asked).not.toContain('register')
    const [file] = await readdir(store.folder)
    expect(await readFile(join(store.folder, file!), 'utf8')).not.toContain('s3cret')

    const upstream = open(server)
    behind.expireAccess()
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
  })

  it('registers nothing where a document about the client is read', async () => {
    const behind = await fixture({ readsDocuments: true })
    const clientMetadataUrl = 'https://x.example/client.json'
    const server = config(behind, { grant: 'authorization_code', clientMetadataUrl })
    await enter(server)
    expect(behind.asked).toEqual(['authorize', 'authorization_code'])
    expect(await store.read(remoteServer(server)!)).toMatchObject({
      client: { client_id: clientMetadataUrl },
    })
  })

  it('is worth nothing to who has only seen the code', async () => {
    const behind = await fixture()
    const exchange = async (address: URL, back: string, code_verifier: string) => {
      const { searchParams } = new URL(back)
      const response = await fetch(`${behind.issuer}/token`, {
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
    await enter(config(behind), async (url) => {
      const thief = await fetch(url, { redirect: 'manual' })
      statuses.push(await exchange(url, thief.headers.get('location')!, 'guessed'))
      const own = await fetch(url, { redirect: 'manual' })
      seen = [url, own.headers.get('location')!]
      await visit(seen[1])
    })
    statuses.push(await exchange(...seen!, 'guessed'))
    expect(statuses).toEqual([400, 400])
    expect(behind.refused).toEqual(['invalid_grant', 'invalid_grant'])
  })

  it('keeps a secret from any authorization server but the one it is for', async () => {
    const behind = await fixture({ client: { id: 'hand', secret: 's3cret' } })
    const oauth = { clientId: 'hand', clientSecret: 's3cret', issuer: 'https://other.example' }
    const entering = enter(config(behind, { grant: 'authorization_code', ...oauth }))
    await expect(entering).rejects.toThrow('Nothing was sent there')
    expect(behind.asked).toEqual([])
  })

  it('tells why it failed, and leaves what was there', async () => {
    const behind = await fixture()
    const server = config(behind)
    await enter(server)
    const kept = await store.read(remoteServer(server)!)

    behind.trouble.deny = true
    await expect(enter(server)).rejects.toThrow('The sign-in to server was declined.')
    behind.trouble = Object.assign(behind.trouble, { deny: false, wrongIssuer: true })
    await expect(enter(server)).rejects.toThrow('did not come from the authorization server')
    behind.trouble.wrongIssuer = false
    behind.trouble.noRegistration = true
    await expect(enter({ ...server, name: 'new' })).rejects.toThrow('"clientId"')
    expect(await store.read(remoteServer(server)!)).toEqual(kept)
  })

  it('listens no more when it was given up', async () => {
    const behind = await fixture()
    const stop = new AbortController()
    let back = ''
    const entering = enter(
      config(behind),
      (url) => {
        back = url.searchParams.get('redirect_uri')!
        stop.abort(new Error('no patience'))
      },
      stop.signal,
    )
    await expect(entering).rejects.toThrow('no patience')
    await expect(visit(back)).rejects.toThrow('fetch failed')
    expect(await readdir(folder)).toEqual([])
  })
})
