import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../testing/services/start-identity-provider.ts'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { TokenExchangeConfig } from '../config/team-config.ts'
import { createIdTokens } from '../identity/id-tokens.ts'
import { type OAuthFixture, oauthFixture } from '../sign-in/oauth-server.fixtures.ts'
import { remoteServer } from '../sign-in/remote-server.ts'
import { serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText } from '../upstreams/fixtures/watch.fixtures.ts'
import { createTeam, GATEWAY_URL, person, type Team } from './accounts.fixtures.ts'
import { type ExchangeServer, startExchangeServer } from './exchange-server.fixtures.ts'
import { createExchangedTokens } from './exchanged-tokens.ts'

const client = { id: 'gateway', secret: 'of the gateway' }
let provider: IdentityProvider
let exchange: ExchangeServer
let remote: OAuthFixture
let team: Team
let orders: ServerConfig
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.close())
beforeEach(async () => {
  team = await createTeam()
  remote = await oauthFixture()
  exchange = await startExchangeServer({
    provider,
    audience: () => GATEWAY_URL,
    client,
    issue: remote.issue,
  })
  orders = serverConfig(
    { kind: 'http', url: remote.url, headers: {} },
    { name: 'orders', credentials: { kind: 'exchange', exchange: settings() } },
  )
})
afterEach(async () => {
  await team.close()
  await Promise.all([remote.close(), exchange.close()])
})

function settings(changes: Partial<TokenExchangeConfig> = {}): TokenExchangeConfig {
  return {
    tokenUrl: exchange.tokenUrl,
    clientId: client.id,
    clientSecret: client.secret,
    audience: 'orders-api',
    scope: 'read',
    ...changes,
  }
}

const tokenOf = (name: string) =>
  provider.sign({ sub: name, aud: GATEWAY_URL, jti: String(Math.random()) })

async function signedIn(name: string) {
  return person(name, await tokenOf(name))
}

const called = 'open_tool was called by'

describe('servers with exchanged tokens', () => {
  it('get a token for each person, in exchange for the token of the request', async () => {
    const replica = await team.replica([orders])
    const texts = await Promise.all(
      ['alice', 'bob'].map(async (name) => {
        const { upstreams } = replica.people.serversFor(await signedIn(name))!
        return callText(upstreams.get('orders')!, 'open_tool')
      }),
    )
    expect(texts).toEqual([`${called} alice`, `${called} bob`])
    expect(exchange.requests).toHaveLength(2)
    expect(exchange.requests[0]).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: expect.stringMatching(/^ey/),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'orders-api',
      scope: 'read',
    })
  })

  it('exchange again when the token of the person has changed', async () => {
    const replica = await team.replica([orders])
    const first = await signedIn('alice')
    const upstream = replica.people.serversFor(first)!.upstreams.get('orders')!
    await callText(upstream, 'open_tool')
    replica.people.serversFor(first)
    await callText(upstream, 'open_tool')
    expect(exchange.requests).toHaveLength(1)
    replica.people.serversFor(await signedIn('alice'))
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice`)
    expect(exchange.requests).toHaveLength(2)
  })

  it('exchange again when the server rejects the token', async () => {
    const replica = await team.replica([orders])
    const { upstreams } = replica.people.serversFor(await signedIn('alice'))!
    const upstream = upstreams.get('orders')!
    await callText(upstream, 'open_tool')
    remote.expireAccess()
    const calls = [1, 2, 3].map(() => callText(upstream, 'open_tool'))
    expect(await Promise.all(calls)).toEqual(Array(3).fill(`${called} alice`))
    expect(exchange.requests.length).toBeLessThanOrEqual(3)
  })

  it('cannot be used with an API key', async () => {
    const replica = await team.replica([orders])
    const upstream = replica.people.serversFor(person('robot'))!.upstreams.get('orders')!
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message:
        'orders needs the access token of a person who signed in. It cannot be used with an API key.',
    })
    expect(exchange.requests).toEqual([])
  })

  it('tell the person what to do, and the administrator why', async () => {
    const replica = await team.replica([orders])
    const token = await provider.sign({ sub: 'alice', aud: 'https://elsewhere.example' })
    const upstream = replica.people.serversFor(person('alice', token))!.upstreams.get('orders')!
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message:
        'The identity provider did not accept your sign-in for orders. Sign in to the gateway again, or ask your administrator whether you may use orders.',
    })
    expect(replica.problems[0]).toBe(
      'Token exchange for orders failed: invalid_grant: The token is not valid.',
    )
    expect(JSON.stringify([replica.problems, upstream.status])).not.toContain(token)
    // a new token works without a restart
    replica.people.serversFor(await signedIn('alice'))
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice`)
  })

  it('recover when the identity provider does', async () => {
    const replica = await team.replica([orders])
    exchange.trouble = { status: 503 }
    const { upstreams } = replica.people.serversFor(await signedIn('alice'))!
    const upstream = upstreams.get('orders')!
    await expect(callText(upstream, 'open_tool')).rejects.toThrow(
      'orders could not be used. Try again later.',
    )
    expect(replica.problems.join()).toContain('Token exchange for orders failed')
    expect(upstream.status.state).toBe('failed')
    exchange.trouble = undefined
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice`)
  })
})

describe('servers with enterprise-managed authorization', () => {
  const assertion = (account: string) => `assertion of ${account}`
  let chat: ServerConfig
  let issuer: OAuthFixture
  beforeEach(async () => {
    issuer = await oauthFixture({
      client: { id: 'gateway-at-chat', secret: 'of chat' },
      accountOf: (text) => /^assertion of (.+)$/.exec(text)?.[1],
    })
    exchange.assertion = assertion
    chat = serverConfig(
      {
        kind: 'http',
        url: issuer.url,
        headers: {},
        oauth: {
          grant: 'authorization_code',
          clientId: 'gateway-at-chat',
          clientSecret: 'of chat',
          issuer: issuer.issuer,
        },
      },
      { name: 'chat', credentials: { kind: 'exchange', exchange: idJag() } },
    )
  })
  afterEach(() => issuer.close())

  const idJag = (): TokenExchangeConfig => ({
    tokenUrl: exchange.tokenUrl,
    clientId: client.id,
    clientSecret: client.secret,
    grant: 'id-jag',
  })

  it('get a token for an assertion that the identity provider issues', async () => {
    const replica = await team.replica([chat])
    const { upstreams } = replica.people.serversFor(await signedIn('alice'))!
    expect(await callText(upstreams.get('chat')!, 'open_tool')).toBe(`${called} alice`)
    expect(exchange.requests).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: expect.stringMatching(/^ey/),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: issuer.issuer,
        resource: issuer.url,
      },
    ])
    expect(issuer.asked).toEqual(['urn:ietf:params:oauth:grant-type:jwt-bearer'])
  })

  it('can exchange the ID token of the sign-in instead', async () => {
    const credentials = {
      kind: 'exchange',
      exchange: { ...idJag(), subjectToken: 'id-token' },
    } as const
    const replica = await team.replica([{ ...chat, credentials }])
    const access = await tokenOf('alice')
    const upstream = replica.people.serversFor(person('alice', access))!.upstreams.get('chat')!
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message: expect.stringContaining('needs the ID token of your sign-in'),
    })
    expect(exchange.requests).toEqual([])
    const idToken = await tokenOf('alice')
    await createIdTokens(team.state).keep(access, idToken, 60_000)
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice`)
    expect(exchange.requests[0]).toMatchObject({
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    })
    // another access token of the same person has another ID token, or none
    expect(await createIdTokens(team.state).find(await tokenOf('alice'))).toBeUndefined()
  })

  it('send the assertion to no other authorization server than the configured one', async () => {
    const { connection } = chat
    if (connection.kind === 'stdio') throw new Error('not remote')
    const oauth = { ...connection.oauth!, issuer: 'https://elsewhere.example' }
    const replica = await team.replica([{ ...chat, connection: { ...connection, oauth } }])
    const { upstreams } = replica.people.serversFor(await signedIn('alice'))!
    await expect(callText(upstreams.get('chat')!, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
    })
    expect(exchange.requests).toEqual([])
    expect(issuer.asked).toEqual([])
    expect(replica.problems).toEqual([
      'Token exchange for chat failed: the server names another authorization server than "issuer" in "oauth"',
    ])
  })

  it('tell the person if the authorization server does not accept the assertion', async () => {
    exchange.assertion = () => 'something else'
    const replica = await team.replica([chat])
    const { upstreams } = replica.people.serversFor(await signedIn('alice'))!
    await expect(callText(upstreams.get('chat')!, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
    })
    expect(issuer.asked).toHaveLength(1)
  })
})

describe('createExchangedTokens', () => {
  function create(changes: Partial<TokenExchangeConfig> = {}, now = Date.now) {
    const problems: string[] = []
    let subject: string | undefined
    const tokens = createExchangedTokens({
      server: remoteServer(orders)!,
      exchange: settings(changes),
      subjectToken: () => subject,
      idTokenOf: async () => undefined,
      onProblem: (message) => problems.push(message),
      now,
    })
    const signIn = (token: string) => {
      subject = token
    }
    return { tokens, problems, signIn }
  }

  it('keeps a token until shortly before it expires', async () => {
    let now = 0
    const { tokens, signIn } = create({}, () => now)
    signIn(await tokenOf('alice'))
    const [first, again] = await Promise.all([tokens.token(), tokens.token()])
    expect(again).toBe(first)
    now = 569_000
    expect(await tokens.token()).toBe(first)
    expect(exchange.requests).toHaveLength(1)
    now = 571_000
    const [next, same] = await Promise.all([tokens.token(), tokens.token()])
    expect(next).not.toBe(first)
    expect(same).toBe(next)
    expect(exchange.requests).toHaveLength(2)
  })

  it('keeps the tokens of several clients of a person', async () => {
    const { tokens, signIn } = create()
    const subjects = [await tokenOf('alice'), await tokenOf('alice')]
    const found: (string | undefined)[] = []
    for (const subject of [...subjects, ...subjects]) {
      signIn(subject)
      found.push(await tokens.token())
    }
    expect(found.slice(2)).toEqual(found.slice(0, 2))
    expect(exchange.requests).toHaveLength(2)
  })

  it("supports Entra's on-behalf-of flow", async () => {
    const { tokens, signIn } = create({ grant: 'on-behalf-of', scope: 'api://orders/.default' })
    signIn(await tokenOf('alice'))
    expect(await tokens.token()).toMatch(/^access-/)
    expect(exchange.requests).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: expect.stringMatching(/^ey/),
        requested_token_use: 'on_behalf_of',
        audience: 'orders-api',
        scope: 'api://orders/.default',
      },
    ])
  })

  it.each([
    [
      { status: 400, body: { error: 'invalid_target' } },
      'invalid_target',
      'Ask your administrator',
    ],
    [{ status: 403, body: {} }, 'the token endpoint answered 403', 'Ask your administrator'],
    [
      { status: 200, body: { access_token: 'x' } },
      '"response" body "token_type"',
      'Try again later',
    ],
    [{ status: 500, body: {} }, 'the token endpoint answered 500', 'Try again later'],
    [
      { status: 400, body: { error: 'interaction_required', error_description: 'MFA' } },
      'interaction_required: MFA',
      'Sign in to the gateway again',
    ],
  ])('explains %j', async (trouble, detail, advice) => {
    const { tokens, signIn, problems } = create()
    signIn(await tokenOf('alice'))
    exchange.trouble = trouble
    await expect(tokens.token()).rejects.toThrow(advice)
    expect(problems).toEqual([expect.stringContaining(detail)])
    exchange.trouble = undefined
    expect(await tokens.token()).toMatch(/^access-/)
  })

  it('reports a wrong secret of the gateway to the administrator', async () => {
    const { tokens, signIn, problems } = create({ clientSecret: 'wrong' })
    signIn(await tokenOf('alice'))
    await expect(tokens.token()).rejects.toThrow('Ask your administrator')
    expect(problems[0]).toMatch(/invalid_client|401/)
    expect(problems[0]).not.toContain('wrong')
  })

  it('sends nothing over unencrypted connections to other machines', async () => {
    const { tokens, signIn, problems } = create({ tokenUrl: 'http://192.0.2.1/token' })
    signIn(await tokenOf('alice'))
    await expect(tokens.token()).rejects.toThrow('orders')
    expect(problems[0]).toContain('only requests to HTTPS are allowed')
  })

  it('says that the identity provider cannot be reached', async () => {
    const { tokens, signIn, problems } = create({ tokenUrl: 'http://127.0.0.1:9/token' })
    signIn(await tokenOf('alice'))
    await expect(tokens.token()).rejects.toThrow('cannot issue a token for orders at the moment')
    expect(problems[0]).toContain('Token exchange for orders failed')
  })
})
