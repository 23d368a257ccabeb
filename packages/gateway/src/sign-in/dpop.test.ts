import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText, createUpstreams } from '../upstreams/fixtures/watch.fixtures.ts'
import { usesDpop } from './dpop-key.ts'
import { type OAuthFixture, oauthFixture, visit } from './oauth-server.fixtures.ts'
import { remoteServer } from './remote-server.ts'
import { signIn } from './sign-in.ts'
import { createSignInStore, type SignInFiles } from './sign-in-store.ts'
import { createSignIns } from './sign-ins.ts'

let folder: string
let store: SignInFiles
let remote: OAuthFixture
const upstreams = createUpstreams()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-dpop-'))
  store = createSignInStore(join(folder, 'sign-ins'))
})
afterEach(async () => {
  await upstreams.closeAll()
  await remote.close()
})

const config = (oauth?: OAuthConfig) =>
  serverConfig({ kind: 'http', url: remote.url, headers: {}, ...(oauth && { oauth }) })

const open = (server: ReturnType<typeof config>) =>
  upstreams.open(server, { authFor: createSignIns(store).authFor })

const enter = (server: ReturnType<typeof config>) =>
  signIn(remoteServer(server)!, {
    store,
    onUrl: (url) => void visit(url),
    signal: AbortSignal.timeout(60_000),
  })

const called = 'open_tool was called'

describe('tokens bound to a key', () => {
  it('are requested, used and refreshed with fresh proofs and the required nonces', async () => {
    remote = await oauthFixture({ dpop: true })
    const server = config()
    await enter(server)
    const upstream = open(server)
    expect(await callText(upstream, 'open_tool')).toBe(called)
    remote.expireAccess()
    expect(await callText(upstream, 'open_tool')).toBe(called)
    expect(remote.asked.at(-1)).toBe('refresh_token')
    // another process has the key as well
    expect(await callText(open(server), 'open_tool')).toBe(called)
    expect(new Set(remote.refused)).toEqual(new Set(['use_dpop_nonce']))
  })

  it('are useless without the key', async () => {
    remote = await oauthFixture({ dpop: true })
    const server = config()
    await enter(server)
    const { dpopKey: _, ...stolen } = (await store.read(remoteServer(server)!))!
    await store.write(remoteServer(server)!, stolen)
    const upstream = open(server)
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({ code: 'needs-sign-in' })
  })

  it('are required if the configuration says so', async () => {
    remote = await oauthFixture()
    const server = config({ grant: 'authorization_code', dpop: 'required' })
    await expect(enter(server)).rejects.toThrow('does not bind tokens to a key')
    expect(await store.read(remoteServer(server)!)).toBeUndefined()
  })

  it('work with client credentials', async () => {
    remote = await oauthFixture({ dpop: true, client: { id: 'us', secret: 'ours' } })
    const { issuer } = remote
    const oauth = { clientId: 'us', clientSecret: 'ours', issuer }
    const upstream = open(config({ grant: 'client_credentials', ...oauth }))
    expect(await callText(upstream, 'open_tool')).toBe(called)
  })

  it.each([
    ['auto', false, false, false],
    ['auto', true, false, false],
    ['auto', false, true, false],
    ['auto', true, true, true],
    ['off', true, true, false],
    ['required', false, false, true],
  ] as const)('with %s, server %s and issuer %s: %s', async (dpop, server, issuer, expected) => {
    remote = await oauthFixture()
    const supported = { dpop_signing_alg_values_supported: ['ES256'] }
    const discovery = {
      authorizationServerUrl: remote.issuer,
      resourceMetadata: { resource: remote.url, ...(server && supported) },
      authorizationServerMetadata: { ...(issuer && supported) },
    }
    const oauth = { grant: 'authorization_code', dpop } as const
    expect(usesDpop(oauth, undefined, discovery as never)).toBe(expected)
  })
})

describe('tokens of the platform', () => {
  const accountOf = (text: string) => /^token of (.+)$/.exec(text)?.[1]

  it('are the grant, and are read again after they were replaced', async () => {
    remote = await oauthFixture({ accountOf })
    const assertionFile = join(folder, 'token')
    await writeFile(assertionFile, 'token of one\n')
    const { issuer } = remote
    const upstream = open(config({ grant: 'jwt-bearer', issuer, assertionFile }))
    expect(await callText(upstream, 'open_tool')).toBe(`${called} by one`)
    await writeFile(assertionFile, 'token of two\n')
    remote.expireAccess()
    expect(await callText(upstream, 'open_tool')).toBe(`${called} by two`)
    expect(new Set(remote.asked)).toEqual(new Set(['urn:ietf:params:oauth:grant-type:jwt-bearer']))
  })

  it('authenticate the client of client credentials', async () => {
    remote = await oauthFixture({ accountOf })
    const oauth = { clientId: 'us', issuer: remote.issuer, assertion: 'token of us' }
    const upstream = open(config({ grant: 'client_credentials', ...oauth }))
    expect(await callText(upstream, 'open_tool')).toBe(`${called} by us`)
  })

  it('are not sent again if they are rejected', async () => {
    remote = await oauthFixture({ accountOf })
    const oauth = { issuer: remote.issuer, assertion: 'expired' }
    const upstream = open(config({ grant: 'jwt-bearer', ...oauth }))
    await expect(callText(upstream, 'open_tool')).rejects.toThrow('invalid_grant')
    expect(remote.asked).toHaveLength(1)
  })

  it('must be readable', async () => {
    remote = await oauthFixture({ accountOf })
    const assertionFile = join(folder, 'missing')
    const upstream = open(config({ grant: 'jwt-bearer', issuer: remote.issuer, assertionFile }))
    await expect(callText(upstream, 'open_tool')).rejects.toThrow(
      `cannot be read from ${assertionFile} (ENOENT)`,
    )
    expect(remote.asked).toEqual([])
  })
})
