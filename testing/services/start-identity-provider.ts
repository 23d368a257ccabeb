import {
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign as signWith,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import Provider from 'oidc-provider'

/** A real identity provider in this process. Anyone can sign in with any name. */
export interface IdentityProvider {
  readonly issuer: string
  /** Requests so far, by path. */
  readonly requests: ReadonlyMap<string, number>
  /** What people's tokens contain, by name, in addition to the defaults. */
  readonly people: Map<string, Record<string, unknown>>
  /** The current public keys. */
  readonly keys: readonly PublishedKey[]
  /** Signs a token with the current key, whatever it says. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>
  /** Signs with a new key from now on. The previous key stays valid unless `drop` is set. */
  rotateKeys(options?: { readonly drop?: boolean }): Promise<void>
  /** Whether to answer at all. */
  isDown: boolean
  close(): Promise<void>
}

export interface IdentityProviderOptions {
  /** Clients that are registered already. */
  readonly clients?: readonly Readonly<Record<string, unknown>>[]
  /** Resources that tokens can be requested for. @default any */
  readonly isResource?: (resource: string) => boolean
  /**
   * Like Entra: no registration, no RFC 8414 metadata, the parameter `resource` is an error, and tokens
   * have this audience.
   */
  readonly entraAudience?: string
  /** In seconds. @default 600 */
  readonly accessTokenTtl?: number
  /** Whether DPoP proofs need a nonce (RFC 9449, section 8). @default false */
  readonly needsNonces?: boolean
}

const TITLE = { 'content-type': 'text/plain' }

export async function startIdentityProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const { clients = [], isResource = () => true, entraAudience, accessTokenTtl = 600 } = options
  const { needsNonces = false } = options
  const requests = new Map<string, number>()
  const people = new Map<string, Record<string, unknown>>()
  const state = { isDown: false, keys: [nameKey(await firstPair())], provider: answerNothing }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const claimsOf = (name: string) => ({
    sub: name,
    name,
    email: `${name}@example.com`,
    email_verified: true,
    ...people.get(name),
  })
  createProvider()

  /** Its keys are fixed, so a new key needs a new provider. They share what they store. */
  function createProvider(): void {
    const scope = 'openid profile email offline_access tools'
    const provider = new Provider(issuer, {
      clients,
      jwks: { keys: state.keys.map(({ secret }) => secret) },
      cookies: { keys: ['only for tests'] },
      scopes: scope.split(' '),
      claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
      // ID tokens contain all claims, as with most providers.
      conformIdTokenClaims: false,
      clientDefaults: { id_token_signed_response_alg: 'RS256' },
      features: {
        devInteractions: { enabled: true },
        ...(needsNonces && {
          dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
        }),
        registration: { enabled: entraAudience === undefined },
        resourceIndicators: {
          enabled: true,
          ...(entraAudience !== undefined && { defaultResource: () => 'urn:app' }),
          useGrantedResource: () => true,
          getResourceServerInfo(_: unknown, resource: string) {
            if (entraAudience === undefined && !isResource(resource)) throw invalidTarget()
            const audience = entraAudience ?? resource
            const jwt = { sign: { alg: 'RS256' } }
            return {
              scope,
              audience,
              accessTokenFormat: 'jwt',
              accessTokenTTL: accessTokenTtl,
              jwt,
            }
          },
        },
      },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: () => true,
      findAccount: (_: unknown, name: string) => ({
        accountId: name,
        claims: () => claimsOf(name),
      }),
      extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => claimsOf(accountId),
      ttl: {
        AccessToken: accessTokenTtl,
        IdToken: accessTokenTtl,
        RefreshToken: 3_600,
        Grant: 3_600,
        Interaction: 600,
        Session: 3_600,
      },
    })
    state.provider = provider.callback()
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1)
    if (state.isDown) {
      response.writeHead(503, TITLE).end('down')
      return
    }
    if (entraAudience !== undefined) {
      if (pathname === '/.well-known/oauth-authorization-server') {
        response.writeHead(404, TITLE).end('not found')
        return
      }
      const hasResource =
        searchParams.has('resource') || (await formOf(request))?.has('resource') === true
      if (hasResource) {
        response.writeHead(400, TITLE).end('AADSTS9010010: resource does not match scope')
        return
      }
    }
    state.provider(request, response)
  }

  return {
    issuer,
    requests,
    people,
    get keys() {
      return state.keys.map(({ shown }) => shown)
    },
    get isDown() {
      return state.isDown
    },
    set isDown(value) {
      state.isDown = value
    },
    async sign(claims, header = {}) {
      const [{ privateKey, kid }] = state.keys as [SigningKey]
      const now = Math.floor(Date.now() / 1_000)
      const payload = { iss: issuer, sub: 'ann', iat: now, exp: now + 600, ...claims }
      const signed = [{ alg: 'RS256', typ: 'at+jwt', kid, ...header }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = signWith('sha256', Buffer.from(signed), privateKey)
      return `${signed}.${signature.toString('base64url')}`
    },
    async rotateKeys({ drop = false } = {}) {
      state.keys = [nameKey(await createPair()), ...(drop ? [] : state.keys)]
      createProvider()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A public key in the form of RFC 7517. */
type PublishedKey = JsonWebKey & { readonly kid: string }

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly secret: JsonWebKey
  readonly shown: PublishedKey
}

type KeyPair = Awaited<ReturnType<typeof createPair>>

const createPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })

let first: Promise<KeyPair> | undefined

/** All providers start with it, under different names: creating one takes longer than most tests. */
function firstPair(): Promise<KeyPair> {
  first ??= createPair()
  return first
}

function nameKey({ privateKey, publicKey }: KeyPair): SigningKey {
  const kid = randomUUID()
  const about = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    privateKey,
    secret: { ...privateKey.export({ format: 'jwk' }), ...about },
    shown: { ...publicKey.export({ format: 'jwk' }), ...about },
  }
}

function answerNothing(_: IncomingMessage, response: ServerResponse): void {
  response.end()
}

function invalidTarget(): Error {
  return Object.assign(new Error('invalid_target'), {
    error: 'invalid_target',
    status: 400,
    expose: true,
  })
}

/** The form in a request. Leaves it in `body`, where the provider looks for it. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (request.method !== 'POST') return undefined
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  Object.assign(request, { body: Object.fromEntries(new URLSearchParams(text)) })
  return new URLSearchParams(text)
}
