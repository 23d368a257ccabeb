import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../testing/services/start-identity-provider.ts'
import type { IdentityConfig, IssuerConfig } from '../config/team-config.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { createApiKeys } from './api-keys.ts'
import { createIdentity } from './create-identity.ts'
import { createFileKeyStore } from './file-key-store.ts'
import type { Authentication, Identity } from './identity.ts'
import { createIdentityStores } from './identity-stores.ts'
import { personId } from './person.ts'

const url = 'https://gateway.example'
const inMemory = { stores: createIdentityStores(createMemoryState()), onWarning: () => {} }
let provider: IdentityProvider
let folder = ''
beforeAll(async () => {
  provider = await startIdentityProvider()
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-identity-'))
})
afterAll(async () => {
  await provider.close()
})

const issuerConfig = (more: Partial<IssuerConfig> = {}): IssuerConfig => ({
  issuer: provider.issuer,
  algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
  groupsClaim: 'groups',
  requiredScopes: [],
  ...more,
})

const administrator = (kind: 'group' | 'email', name: string) => ({
  issuer: provider.issuer,
  kind,
  name,
})

async function identityWith(
  issuer: Partial<IssuerConfig> = {},
  { now, ...more }: Partial<IdentityConfig> & { now?: () => number } = {},
) {
  const warnings: string[] = []
  const config = {
    url,
    issuers: [issuerConfig(issuer)],
    administrators: [],
    clockSkewSeconds: 30,
    apiKeys: true,
    ...more,
  }
  const identity = await createIdentity(config, {
    stores: createIdentityStores(createMemoryState()),
    onWarning: (message) => warnings.push(message),
    ...(now && { now }),
  })
  return { identity, warnings }
}

const ask = async (identity: Identity, token?: string, path = '/mcp'): Promise<Authentication> =>
  identity.authenticate({
    path,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })

const refused = (message: string | RegExp, status = 401) => ({
  refusal: { status, message: expect.stringMatching(message) },
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token', () => {
  it('identifies a person by issuer and subject, with the groups of a claim', async () => {
    const { identity } = await identityWith(
      {},
      { administrators: [administrator('group', 'admins')] },
    )
    const groups = ['admins', 'sales', 'admins']
    const token = await provider.sign({ aud: url, groups, name: 'Ann', nickname: 'x' })
    expect(await ask(identity, token)).toEqual({
      person: {
        id: personId(provider.issuer, 'ann'),
        issuer: provider.issuer,
        subject: 'ann',
        name: 'Ann',
        groups: ['admins', 'sales'],
        role: 'administrator',
        expiresAt: expect.any(Number),
        token,
      },
    })
  })

  it('is verified once, and then known until it expires', async () => {
    let now = Date.now()
    const { identity } = await identityWith({}, { now: () => now })
    const token = await provider.sign({ aud: url, exp: Math.floor(now / 1_000) + 60 })
    const request = { path: '/mcp', headers: { authorization: `Bearer ${token}` } }
    expect(identity.authenticate(request)).toBeInstanceOf(Promise)
    expect(await identity.authenticate(request)).toHaveProperty('person')
    expect(identity.authenticate(request)).toHaveProperty('person')
    now += 60_000 + 29_000
    expect(identity.authenticate(request)).toHaveProperty('person')
    now += 2_000
    expect(await identity.authenticate(request)).toMatchObject(refused('has expired'))
  })

  it.each<[string, object]>([
    ['has expired', { exp: Math.floor(Date.now() / 1_000) - 31 }],
    ['invalid', { nbf: Math.floor(Date.now() / 1_000) + 100 }],
    ['invalid', { exp: undefined }],
    ['invalid', { sub: undefined }],
    ['invalid', { aud: undefined }],
    ['another resource', { aud: 'https://other.example' }],
    ['another resource', { aud: `${url}.evil.example` }],
    ['another resource', { aud: [] }],
    ['not trusted', { iss: 'https://evil.example' }],
    ['neither', { iss: undefined }],
    ['neither', { iss: 7 }],
    ['not an access token', { nonce: 'x' }],
    ['not an access token', { at_hash: 'x' }],
    ['not an access token', { typ: 'ID' }],
  ])('is refused as %s: %j', async (message, claims) => {
    const { identity } = await identityWith()
    const token = await provider.sign({ aud: url, ...claims })
    expect(await ask(identity, token)).toMatchObject(refused(message))
  })

  it.each<[string, object]>([
    ['expired', { exp: Math.floor(Date.now() / 1_000) - 31 }],
    ['audience', { aud: 'https://other.example' }],
    ['issuer', { iss: 'https://evil.example' }],
    ['invalid', { nonce: 'x' }],
  ])(
    'that is refused names its sender and the cause for the audit log: %s',
    async (cause, claims) => {
      const { identity } = await identityWith()
      const all = { iss: provider.issuer, sub: 'ada', aud: url, ...claims }
      const claimed = personId(all.iss, 'ada')
      const token = await provider.sign(all)
      expect(await ask(identity, token)).toMatchObject({
        refusal: { credential: { cause, claimed } },
      })
      if (cause !== 'audience') return
      const [header, payload] = token.split('.')
      const forged = `${header}.${payload}.${Buffer.alloc(256).toString('base64url')}`
      expect(await ask(identity, forged)).toMatchObject({
        refusal: { credential: { cause: 'signature', claimed } },
      })
    },
  )

  it('may be a little early or late, because clocks differ', async () => {
    const { identity } = await identityWith()
    const now = Math.floor(Date.now() / 1_000)
    for (const claims of [{ nbf: now + 20 }, { exp: now - 20 }]) {
      expect(await ask(identity, await provider.sign({ aud: url, ...claims }))).toHaveProperty(
        'person',
      )
    }
  })

  it.each([
    ['logout+jwt', false],
    ['dpop+jwt', false],
    ['AT+JWT', true],
    ['JWT', true],
    [undefined, true],
  ])('with the type %s is accepted: %s', async (typ, isAccepted) => {
    const { identity } = await identityWith()
    const answer = await ask(identity, await provider.sign({ aud: url }, { typ }))
    expect('person' in answer).toBe(isAccepted)
  })

  it('is for the whole gateway, or for the address of one profile', async () => {
    const { identity } = await identityWith()
    const paths = ['/api/tools', '/mcp', '/mcp/p/a', '/mcp/p/b']
    const accepts = async (aud: string | string[]) => {
      const token = await provider.sign({ aud })
      const answers = await Promise.all(paths.map((path) => ask(identity, token, path)))
      return paths.filter((_, index) => 'person' in answers[index]!)
    }
    expect(await accepts(url)).toEqual(paths)
    expect(await accepts(`${url}/`)).toEqual(paths)
    expect(await accepts(['x', `${url}/mcp`])).toEqual(paths)
    expect(await accepts(`${url}/mcp/p/a`)).toEqual(['/mcp/p/a'])
    expect(await accepts(`${url}/mcp/`)).toEqual([])
  })

  it('can have other audiences if they are configured, and then no others', async () => {
    const { identity } = await identityWith({ audience: ['app-id'] })
    expect(await ask(identity, await provider.sign({ aud: 'app-id' }))).toHaveProperty('person')
    const other = await provider.sign({ aud: url })
    expect(await ask(identity, other)).toMatchObject(refused('another resource'))
  })

  it('needs all required scopes', async () => {
    const { identity } = await identityWith({ requiredScopes: ['tools', 'read'] })
    for (const scopes of [
      { scope: 'read x tools' },
      { scp: ['tools', 'read'] },
      { scp: 'read tools' },
    ]) {
      expect(await ask(identity, await provider.sign({ aud: url, ...scopes }))).toHaveProperty(
        'person',
      )
    }
    const answer = await ask(identity, await provider.sign({ aud: url, scope: 'tools reader' }))
    expect(answer).toMatchObject({
      refusal: {
        status: 403,
        headers: {
          'www-authenticate': `Bearer error="insufficient_scope", scope="tools read", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
        },
      },
    })
  })

  it.each<[string, object, string[]]>([
    ['groups', { groups: 'a b' }, ['a b']],
    ['groups', { groups: '' }, []],
    ['scope', { scope: 'a b' }, ['a', 'b']],
    ['groups', {}, []],
    ['groups', { groups: null }, []],
    ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['https://x.example/groups', { 'https://x.example/groups': ['a'] }, ['a']],
    ['constructor.name', {}, []],
    ['__proto__.x', {}, []],
  ])('has groups in %s: %j', async (groupsClaim, claims, groups) => {
    const { identity } = await identityWith({ groupsClaim })
    const token = await provider.sign({ aud: url, ...claims })
    expect(await ask(identity, token)).toMatchObject({ person: { groups } })
  })

  it.each<[RegExp, object]>([
    [/so many groups/, { _claim_names: { groups: 'src1' }, _claim_sources: {} }],
    [/more than 1000 groups/, { groups: Array.from({ length: 1_001 }, (_, index) => `${index}`) }],
    [/not a list/, { groups: { a: 1 } }],
    [/not a list/, { groups: [['a']] }],
    [/not a list/, { groups: ['x'.repeat(1_000)] }],
    [/subject/, { sub: 'x'.repeat(1_000) }],
  ])(
    'whose claims cannot be used is refused, and an administrator learns why: %s',
    async (problem, claims) => {
      const { identity, warnings } = await identityWith()
      const token = await provider.sign({ aud: url, ...claims })
      expect(await ask(identity, token)).toMatchObject(refused(problem, 403))
      expect(warnings.join()).toMatch(problem)
    },
  )

  it('names an administrator by a verified email address only', async () => {
    const { identity } = await identityWith(
      {},
      { administrators: [administrator('email', 'Ann@example.com')] },
    )
    const role = async (claims: object) => {
      const answer = await ask(identity, await provider.sign({ aud: url, ...claims }))
      return 'person' in answer && answer.person.role
    }
    expect(await role({ email: 'ann@EXAMPLE.com', email_verified: true })).toBe('administrator')
    expect(await role({ email: 'ann@example.com' })).toBe('member')
    expect(await role({ email: 'ann@example.com', email_verified: false })).toBe('member')
    expect(await role({ name: 'Ann@example.com' })).toBe('member')
  })
})

describe('a forged token', () => {
  const claims = () => ({
    iss: provider.issuer,
    sub: 'ann',
    aud: url,
    exp: Math.floor(Date.now() / 1_000) + 600,
  })

  it.each(['none', 'None', 'NONE', ''])('without a signature is refused (alg %j)', async (alg) => {
    const { identity } = await identityWith({ algorithms: ['RS256', 'none'] })
    for (const signature of ['', 'x']) {
      const token = `${part({ alg, typ: 'JWT' })}.${part(claims())}.${signature}`
      expect(await ask(identity, token)).toMatchObject(refused('invalid'))
    }
  })

  it('is refused if it is signed with the public key as a secret (key confusion)', async () => {
    const { identity } = await identityWith({ algorithms: ['RS256', 'HS256'] })
    const [key] = provider.keys
    const { subtle } = globalThis.crypto
    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    const imported = await subtle.importKey('jwk', key as object, rsa, true, ['verify'])
    const spki = Buffer.from(await subtle.exportKey('spki', imported))
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PUBLIC KEY-----\n`
    for (const secret of [pem, spki, JSON.stringify(key), key!.n!]) {
      const head = `${part({ alg: 'HS256', typ: 'JWT', kid: key!.kid })}.${part(claims())}`
      const signature = createHmac('sha256', secret).update(head).digest('base64url')
      expect(await ask(identity, `${head}.${signature}`)).toMatchObject(refused('invalid'))
    }
  })

  it('is refused if it brings its own key', async () => {
    const { identity } = await identityWith()
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' })
    const [{ kid } = {}] = provider.keys
    const headers = [{ jwk }, { jku: `${provider.issuer}/evil` }, { kid }, { kid, jwk }, {}]
    for (const header of headers) {
      const head = `${part({ alg: 'RS256', typ: 'JWT', ...header })}.${part(claims())}`
      const signature = createSign('RSA-SHA256').update(head).sign(privateKey, 'base64url')
      expect(await ask(identity, `${head}.${signature}`)).toMatchObject(refused('invalid'))
    }
    expect(provider.requests.get('/evil')).toBeUndefined()
  })

  it('is refused if another trusted issuer has signed it', async () => {
    const other = await startIdentityProvider()
    const { identity } = await identityWith(
      {},
      {
        issuers: [issuerConfig(), issuerConfig({ issuer: other.issuer })],
      },
    )
    expect(await ask(identity, await other.sign({ aud: url }))).toMatchObject({
      person: { id: personId(other.issuer, 'ann') },
    })
    const token = await other.sign({ aud: url, iss: provider.issuer })
    expect(await ask(identity, token)).toMatchObject(refused('invalid'))
    await other.close()
  })

  it('is refused if it was changed or cut, or is not a token at all', async () => {
    const { identity } = await identityWith()
    const token = await provider.sign({ aud: url })
    const [head = '', , signature = ''] = token.split('.')
    const other = [
      `${head}.${part({ ...claims(), sub: 'bob' })}.${signature}`,
      token.slice(0, -5),
      `${token}.x`,
      token.replace('.', ''),
      'x',
      '..',
      '.'.repeat(1_000),
      `${head}.${Buffer.from('{"a":'.repeat(2_000)).toString('base64url')}.${signature}`,
      'ä'.repeat(100),
    ]
    for (const forged of other) expect(await ask(identity, forged)).toMatchObject(refused(/./))
  })

  it('of a hundred kilobytes is refused before it is read', async () => {
    const { identity } = await identityWith()
    const token = await provider.sign({ aud: url, groups: ['x'.repeat(100_000)] })
    const request = { path: '/mcp', headers: { authorization: `Bearer ${token}` } }
    expect(identity.authenticate(request)).toMatchObject(refused('too long'))
  })
})

describe('the keys of an issuer', () => {
  it('are fetched again for a token with a new key, but not for every unknown key', async () => {
    const other = await startIdentityProvider()
    let now = Date.now()
    const { identity } = await identityWith({ issuer: other.issuer }, { now: () => now })
    const asked = () => other.requests.get('/jwks') ?? 0
    expect(await ask(identity, await other.sign({ aud: url }))).toHaveProperty('person')
    expect(asked()).toBe(1)
    await other.rotateKeys()
    now += 11_000
    expect(await ask(identity, await other.sign({ aud: url }))).toHaveProperty('person')
    expect(asked()).toBe(2)
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const token = await other.sign({ aud: url }, { kid: `unknown-${index}` })
        expect(await ask(identity, token)).toMatchObject(refused('invalid'))
      }),
    )
    expect(asked()).toBe(2)
    now += 11_000
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        ask(identity, await other.sign({ aud: url }, { kid: `unknown-${index}` })),
      ),
    )
    expect(asked()).toBe(3)
    await other.close()
  })

  it('that were withdrawn no longer count, even for tokens that were verified', async () => {
    const other = await startIdentityProvider()
    let now = Date.now()
    const { identity } = await identityWith({ issuer: other.issuer }, { now: () => now })
    const token = await other.sign({ aud: url, exp: Math.floor(now / 1_000) + 86_400 })
    expect(await ask(identity, token)).toHaveProperty('person')
    await other.rotateKeys({ drop: true })
    await expect
      .poll(async () => {
        now += 601_000
        return ask(identity, token)
      })
      .toMatchObject(refused('invalid'))
    await other.close()
  })

  it('stay in use while the provider is down; unknown ones are refused for the time being', async () => {
    const other = await startIdentityProvider()
    let now = Date.now()
    const { identity, warnings } = await identityWith({ issuer: other.issuer }, { now: () => now })
    const long = { aud: url, exp: Math.floor(now / 1_000) + 86_400 }
    expect(await ask(identity, await other.sign(long))).toHaveProperty('person')
    other.isDown = true
    now += 3_600_000
    expect(await ask(identity, await other.sign({ ...long, jti: '1' }))).toHaveProperty('person')
    now += 11_000
    const unknown = await other.sign(long, { kid: 'new' })
    expect(await ask(identity, unknown)).toMatchObject({
      refusal: { status: 503, headers: { 'retry-after': expect.any(String) } },
    })
    expect(warnings.join()).toContain(other.issuer)
    now += 6 * 3_600_000
    expect(await ask(identity, await other.sign({ ...long, jti: '2' }))).toMatchObject({
      refusal: { status: 503 },
    })
    other.isDown = false
    now += 6_000
    expect(await ask(identity, await other.sign({ ...long, jti: '3' }))).toHaveProperty('person')
    await other.close()
  })

  it.each<[string, (issuer: string) => string]>([
    ['endless', () => `{"keys":["${'x'.repeat(1_000_000)}"]}`],
    ['no JSON', () => 'x'],
    ['no keys', () => '{"keys":7}'],
    ['metadata of another issuer', () => '{"issuer":"https://other.example","jwks_uri":"x"}'],
    ['an unsafe address', (issuer) => `{"issuer":"${issuer}","jwks_uri":"http://evil.example"}`],
  ])('that are %s fail closed', async (_, body) => {
    const server = createServer((_request, response) => {
      response.end(body(issuer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const jwksUrl of [undefined, `${issuer}/jwks`]) {
      const { identity } = await identityWith({ issuer, ...(jwksUrl !== undefined && { jwksUrl }) })
      const answer = await ask(identity, await provider.sign({ aud: url, iss: issuer }))
      expect(answer).toMatchObject({ refusal: { status: 503 } })
    }
    server.close()
  })
})

describe('a request without a token', () => {
  it('gets the address of the metadata for signing in', async () => {
    const { identity } = await identityWith({ requiredScopes: ['tools'] })
    const challenge = async (path: string) => {
      const answer = await ask(identity, undefined, path)
      return 'refusal' in answer && answer.refusal.headers['www-authenticate']
    }
    const metadata = `${url}/.well-known/oauth-protected-resource`
    expect(await challenge('/mcp')).toBe(
      `Bearer scope="tools", resource_metadata="${metadata}/mcp"`,
    )
    expect(await challenge('/mcp/p/a%22b')).toBe(
      `Bearer scope="tools", resource_metadata="${metadata}/mcp/p/a%22b"`,
    )
    expect(await challenge('/api/x')).toBe(`Bearer scope="tools", resource_metadata="${metadata}"`)
  })

  it('finds metadata for every address', async () => {
    const { identity } = await identityWith({ requiredScopes: ['tools'] })
    const read = async (path: string) => {
      expect(identity.serves(path)).toBe(true)
      const address = new URL(path, url)
      return (await identity.handle(new Request(address), address)).json()
    }
    for (const resource of ['', '/mcp', '/mcp/p/a']) {
      expect(await read(`/.well-known/oauth-protected-resource${resource}`)).toEqual({
        resource: `${url}${resource}`,
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: ['ES256', 'PS256', 'RS256', 'EdDSA'],
        scopes_supported: ['tools'],
        resource_name: 'toolsearch',
      })
    }
    expect(identity.serves('/.well-known/oauth-protected-resource/other')).toBe(false)
    expect(identity.serves('/.well-known/oauth-protected-resources')).toBe(false)
  })
})

describe('an API key', () => {
  async function withKeys() {
    let now = Date.now()
    const store = createFileKeyStore(join(folder, `${Math.random()}.json`))
    const keys = createApiKeys(store, () => now)
    const config = { url, issuers: [], administrators: [], clockSkewSeconds: 0, apiKeys: true }
    const identity = await createIdentity(config, { ...inMemory, keys })
    const elapse = (ms: number) => {
      now += ms
    }
    return { keys, store, identity, elapse, now: () => now }
  }

  it('identifies a machine, with its groups, role and scope', async () => {
    const { identity, keys } = await withKeys()
    const scope = { allow: ['github/*'] }
    const { key, stored } = await keys.create({ name: 'ci', groups: ['a'], role: 'member', scope })
    expect(await ask(identity, key)).toEqual({
      person: {
        id: personId('key', stored.id),
        issuer: 'key',
        subject: stored.id,
        name: 'ci',
        groups: ['a'],
        role: 'member',
        scope,
      },
    })
    expect(
      identity.authenticate({ path: '/mcp', headers: { authorization: `Bearer ${key}` } }),
    ).toHaveProperty('person')
    expect(await ask(identity, key.toUpperCase())).toHaveProperty('refusal')
    expect(await ask(identity, `${key.slice(0, -1)}0`)).toHaveProperty('refusal')
  })

  it('can be limited to profiles', async () => {
    const { identity, keys } = await withKeys()
    const scope = { profiles: ['sales'] }
    const { key } = await keys.create({ name: 'ci', groups: [], role: 'administrator', scope })
    expect(await ask(identity, key, '/mcp/p/sales')).toHaveProperty('person')
    for (const path of ['/mcp', '/mcp/p/other', '/api/tools']) {
      expect(await ask(identity, key, path)).toMatchObject(refused('other addresses', 403))
    }
  })

  it('no longer works once it has expired or was revoked, here or in another process', async () => {
    const { identity, keys, store, elapse, now } = await withKeys()
    const create = () => keys.create({ name: 'ci', groups: [], role: 'member' })
    const [here, there] = [await create(), await create()]
    const short = await keys.create({
      name: 'short',
      groups: [],
      role: 'member',
      expiresAt: now() + 10_000,
    })
    for (const { key } of [here, there, short]) {
      expect(await ask(identity, key)).toHaveProperty('person')
    }
    expect(await keys.revoke(here.stored.id)).toBe(true)
    expect(await keys.revoke(here.stored.id)).toBe(false)
    expect(await keys.revoke('unknown')).toBe(false)
    expect(await ask(identity, here.key)).toMatchObject(refused('revoked'))
    const claimed = personId('key', here.stored.id)
    expect(await ask(identity, here.key)).toMatchObject({
      refusal: { credential: { cause: 'revoked', claimed } },
    })
    await store.revoke(there.stored.id, now())
    elapse(500)
    expect(await ask(identity, there.key)).toMatchObject(refused('revoked'))
    elapse(10_000)
    expect(await ask(identity, short.key)).toMatchObject(refused('expired'))
  })

  it('is refused for the time being while keys cannot be read', async () => {
    const { keys } = await withKeys()
    const { key } = await keys.create({ name: 'ci', groups: [], role: 'member' })
    const broken = createApiKeys({
      ...createFileKeyStore(folder),
      find: () => Promise.reject(new Error('no database')),
    })
    const config = { url, issuers: [], administrators: [], clockSkewSeconds: 0, apiKeys: true }
    const identity = await createIdentity(config, { ...inMemory, keys: broken })
    expect(await ask(identity, key)).toMatchObject({ refusal: { status: 503 } })
  })

  it('is refused if keys are turned off', async () => {
    const { keys } = await withKeys()
    const { key } = await keys.create({ name: 'ci', groups: [], role: 'member' })
    const { identity } = await identityWith({}, { apiKeys: false })
    expect(await ask(identity, key)).toMatchObject(refused('not accepted'))
  })

  it('records when it was used, at most once a minute', async () => {
    const { identity, keys, elapse, now } = await withKeys()
    const { key } = await keys.create({ name: 'ci', groups: [], role: 'member' })
    const lastUsed = async () => (await keys.list())[0]?.lastUsedAt
    const start = now()
    await ask(identity, key)
    await expect.poll(lastUsed).toBe(start)
    elapse(30_000)
    await ask(identity, key)
    expect(await lastUsed()).toBe(start)
    elapse(31_000)
    await ask(identity, key)
    await expect.poll(lastUsed).toBe(start + 61_000)
  })
})
