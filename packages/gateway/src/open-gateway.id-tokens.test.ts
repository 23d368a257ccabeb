import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { createBrowser } from '../../../testing/services/browser.ts'
import { freePort } from '../../../testing/services/free-port.ts'
import { startIdentityProvider } from '../../../testing/services/start-identity-provider.ts'
import { startExchangeServer } from './accounts/exchange-server.fixtures.ts'
import { type ClientAuth, clientAuth } from './identity/client-auth.fixtures.ts'
import { type ConfigFile, openGateway } from './open-gateway.ts'
import { oauthFixture } from './sign-in/oauth-server.fixtures.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

const APP = 'the gateway at the identity provider'
const CLIENT = { id: 'the gateway at the authorization server', secret: 'secret' }

/**
 * A gateway through whose proxy people sign in, and a server whose authorization server trusts the identity
 * provider, which issues assertions for ID tokens only.
 */
async function start({ keepIdTokens }: { readonly keepIdTokens: boolean }) {
  const url = `http://127.0.0.1:${await freePort()}`
  const provider = await startIdentityProvider({
    entraAudience: APP,
    clients: [
      {
        client_id: APP,
        client_secret: 'confidential',
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${url}/oauth/callback`],
      },
    ],
  })
  const remote = await oauthFixture({
    client: CLIENT,
    accountOf: (assertion) => /^assertion of (.+)$/.exec(assertion)?.[1],
  })
  const exchange = await startExchangeServer({
    provider,
    audience: () => APP,
    client: { id: 'gateway', secret: 'secret' },
    issue: remote.issue,
  })
  exchange.assertion = (subject) => `assertion of ${subject}`
  open.push(provider, remote, exchange)
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-id-tokens-'))
  open.push({ close: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }) })
  const warnings: string[] = []
  const config = {
    mcpServers: {
      chat: {
        url: remote.url,
        oauth: { clientId: CLIENT.id, clientSecret: CLIENT.secret, issuer: remote.issuer },
        toolsearch: {
          credentials: {
            exchange: {
              tokenUrl: exchange.tokenUrl,
              clientId: 'gateway',
              clientSecret: 'secret',
              grant: 'id-jag',
              subjectToken: 'id-token',
            },
          },
        },
      },
    },
    toolsearch: {
      mode: 'passthrough',
      identity: {
        url,
        issuers: [
          {
            issuer: provider.issuer,
            audience: [APP],
            proxy: {
              clientId: APP,
              clientSecret: 'confidential',
              scopes: ['openid', 'offline_access', 'tools'],
              keepIdTokens,
            },
          },
        ],
      },
    },
  } as ConfigFile
  const gateway = await openGateway(config, {
    cacheFolder: false,
    stateFolder: folder,
    onWarning: (message) => void warnings.push(message),
  })
  open.push(gateway)
  const service = await gateway.serveHttp({ port: Number(new URL(url).port) })
  return { url: service.url, exchange, warnings }
}

const info = { name: 'test', version: '1' }

/** Signs in through the gateway. */
async function signIn(url: string, { provider, visited }: ClientAuth): Promise<void> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
  await expect(new Client(info).connect(transport)).rejects.toThrow(UnauthorizedError)
  await transport.finishAuth(visited.at(-1)!.searchParams)
}

async function call(url: string, { provider }: ClientAuth): Promise<string> {
  const client = new Client(info)
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
  await client.connect(transport)
  open.push(client)
  const { content } = await client.callTool({ name: 'chat__open_tool', arguments: {} })
  return (content as { text: string }[])[0]!.text
}

describe('a server that needs the ID token of a sign-in', () => {
  it('gets an assertion of each person, also after their tokens were renewed', async () => {
    const { url, exchange } = await start({ keepIdTokens: true })
    const [ann, ben] = ['ann', 'ben'].map((name) => clientAuth(createBrowser(), name)) as [
      ClientAuth,
      ClientAuth,
    ]
    for (const auth of [ann, ben]) await signIn(url, auth)
    expect(await call(url, ann)).toBe('open_tool was called by ann')
    expect(await call(url, ben)).toBe('open_tool was called by ben')
    // Clients get no ID token, and what is exchanged is not what they send.
    expect(ann.saved.tokens).not.toHaveProperty('id_token')
    const tokens = ann.saved.tokens as { access_token: string }
    const [first] = exchange.requests
    expect(first).toMatchObject({
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    })
    expect(first!.subject_token).not.toBe(tokens.access_token)
    expect(decodeJwt(first!.subject_token!)).toMatchObject({ sub: 'ann', aud: APP })

    const before = exchange.requests.length
    ann.saved.tokens = { ...tokens, access_token: 'expired' }
    expect(await call(url, ann)).toBe('open_tool was called by ann')
    expect(ann.saved.tokens).not.toMatchObject({ access_token: tokens.access_token })
    expect(ann.visited).toHaveLength(1)
    expect(exchange.requests.length).toBeGreaterThan(before)
  })

  it('asks people to sign in, and administrators to keep ID tokens, if there are none', async () => {
    const { url, exchange, warnings } = await start({ keepIdTokens: false })
    const ann = clientAuth(createBrowser(), 'ann')
    await signIn(url, ann)
    const answer = await call(url, ann)
    expect(answer).not.toContain('was called')
    expect(exchange.requests).toEqual([])
    expect(warnings.join('\n')).toContain('Check that "keepIdTokens" is on.')
  })
})
