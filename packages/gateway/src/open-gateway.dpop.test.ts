import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { createBrowser } from '../../../testing/services/browser.ts'
import { freePort } from '../../../testing/services/free-port.ts'
import { startIdentityProvider } from '../../../testing/services/start-identity-provider.ts'
import { type ConfigFile, openGateway } from './open-gateway.ts'
import { remoteServer } from './sign-in/remote-server.ts'
import { signIn } from './sign-in/sign-in.ts'
import { createSignInStore } from './sign-in/sign-in-store.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { modernServer, serverConfig } from './upstreams/fixtures/servers.fixtures.ts'
import { callText, createUpstreams } from './upstreams/fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await upstreams.closeAll()
  for (const each of open.splice(0).reverse()) await each.close()
})

describe('a gateway behind a gateway', () => {
  it('is used with tokens that an authorization server binds to a key, with nonces', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const provider = await startIdentityProvider({ needsNonces: true })
    const folder = await mkdtemp(join(tmpdir(), 'toolsearch-dpop-'))
    open.push(provider, { close: () => rm(folder, { recursive: true, force: true }) })
    const { kind: _, ...entry } = modernServer().connection
    const identity = { url, issuers: [{ issuer: provider.issuer, requiredScopes: ['tools'] }] }
    const config = {
      mcpServers: { modern: entry },
      toolsearch: { mode: 'passthrough', identity },
    } as ConfigFile
    const gateway = await openGateway(config, { cacheFolder: false, stateFolder: false })
    open.push(gateway)
    await gateway.ready()
    const service = await gateway.serveHttp({ port: Number(new URL(url).port) })

    const store = createSignInStore(join(folder, 'sign-ins'))
    const server = serverConfig({ kind: 'http', url: service.url, headers: {} })
    const remote = remoteServer(server)!
    await signIn(remote, {
      store,
      onUrl: (address) => void createBrowser().visit(address),
      signal: AbortSignal.timeout(60_000),
    })
    // The first proof has no nonce, and is rejected with one.
    expect(provider.requests.get('/token')).toBe(2)
    const stored = (await store.read(remote))!
    expect(stored.tokens?.token_type).toBe('DPoP')
    expect(decodeJwt(stored.tokens!.access_token)).toHaveProperty('cnf.jkt')
    const upstream = upstreams.open(server, { authFor: createSignIns(store).authFor })
    expect(await callText(upstream, 'modern__envelope')).toContain('clientInfo')

    // An access token that the server rejects is refreshed, which needs a proof with a nonce as well.
    await store.write(remote, { ...stored, tokens: { ...stored.tokens!, access_token: 'gone' } })
    const again = upstreams.open(server, { authFor: createSignIns(store).authFor })
    expect(await callText(again, 'modern__envelope')).toContain('clientInfo')
    const renewed = (await store.read(remote))!
    expect(renewed.tokens?.access_token).not.toBe('gone')
    expect(renewed.dpopKey).toEqual(stored.dpopKey)
  })
})
