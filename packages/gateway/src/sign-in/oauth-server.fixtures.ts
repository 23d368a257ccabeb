import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server as McpServer } from '@modelcontextprotocol/server'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'

/** An MCP server built with the SDK and its authorization server, on two local ports. */
export interface OAuthFixture {
  /** The MCP server. */
  readonly url: string
  readonly issuer: string
  /** The requests to the authorization server in order, such as `refresh_token`. */
  readonly asked: string[]
  /** The errors that the authorization server returned. */
  readonly refused: string[]
  /** The headers of requests to the authorization server. */
  readonly headers: IncomingMessage['headers'][]
  /** An access token for an account, as another authorization server would issue it. */
  issue(account: string): string
  /** Invalidates every access token, or those of one account. */
  expireAccess(account?: string): void
  /** Invalidates every access and refresh token. */
  revoke(): void
  /** What fails from now on. */
  trouble: {
    deny?: boolean
    tokenStatus?: number
    noRegistration?: boolean
    noRevocation?: boolean
    wrongIssuer?: boolean
    /** Metadata is sent only when this has resolved. */
    metadataAfter?: Promise<unknown>
  }
  close(): Promise<void>
}

export interface OAuthFixtureOptions {
  /** A client that is already registered. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The additional scope that `secret_tool` requires. */
  readonly toolScope?: string
  /** Whether the authorization server supports client metadata documents. */
  readonly readsDocuments?: boolean
  /** Whether tokens are bound to a key, and both servers require a nonce in proofs. */
  readonly dpop?: boolean
  /** The account of a JWT that a client presents as a grant or to authenticate. Undefined rejects it. */
  readonly accountOf?: (assertion: string) => string | undefined
  /** The URL of a server to protect instead of the built-in one. */
  readonly inFrontOf?: string
}

interface Grant {
  readonly clientId: string
  readonly scope: string
  /** Who signed in: the `login` of the URL that was visited. */
  readonly account: string
  /** The thumbprint of the key that its tokens are bound to. */
  readonly jkt?: string | undefined
}

// One for all servers: Node 20 never forgets a storage, and each one slows down every promise.
const currentGrant = new AsyncLocalStorage<Grant>()

export async function oauthFixture({
  client,
  toolScope,
  readsDocuments = false,
  dpop = false,
  accountOf = () => undefined,
  inFrontOf,
}: OAuthFixtureOptions = {}): Promise<OAuthFixture> {
  const clients = new Map<string, { secret?: string; redirects?: string[] }>()
  if (client) clients.set(client.id, client.secret === undefined ? {} : { secret: client.secret })
  const codes = new Map<string, Grant & { challenge: string; redirect: string }>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  const asked: string[] = []
  const refused: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const trouble: OAuthFixture['trouble'] = {}
  const proofs = createProofCheck()

  const authorization = createServer(async (request, response) => {
    headers.push(request.headers)
    const url = new URL(request.url!, issuer)
    const sent = await text(request)
    const body = new URLSearchParams(sent)
    if (url.pathname.startsWith('/.well-known/')) {
      await trouble.metadataAfter
      return json(response, 200, metadata())
    }
    if (url.pathname === '/register') return register(response, JSON.parse(sent))
    if (url.pathname === '/authorize') return authorize(response, url.searchParams)
    if (url.pathname === '/token') return token(request, response, body)
    if (url.pathname === '/revoke' && !trouble.noRevocation) {
      asked.push('revoke')
      return revokeGrant(response, body.get('token') ?? '')
    }
    json(response, 404, {})
  })
  const issuer = await listen(authorization)

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    ...(!trouble.noRegistration && { registration_endpoint: `${issuer}/register` }),
    ...(!trouble.noRevocation && { revocation_endpoint: `${issuer}/revoke` }),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
    ...(dpop && { dpop_signing_alg_values_supported: ['ES256'] }),
  })

  function register(response: ServerResponse, body: { redirect_uris: string[] }): void {
    asked.push('register')
    const { redirect_uris } = body
    const id = `client-${clients.size + 1}`
    clients.set(id, { redirects: redirect_uris })
    json(response, 201, { client_id: id, redirect_uris, token_endpoint_auth_method: 'none' })
  }

  function authorize(response: ServerResponse, params: URLSearchParams): unknown {
    asked.push('authorize')
    const get = (name: string) => params.get(name) ?? ''
    const known = clients.get(get('client_id'))
    const isDocument = readsDocuments && get('client_id').startsWith('https://')
    const mayReturn = known?.redirects?.includes(get('redirect_uri')) ?? (known || isDocument)
    if (!mayReturn) return refuse(response, 'invalid_client')
    if (get('code_challenge_method') !== 'S256') return refuse(response, 'invalid_request')
    const back = new URL(get('redirect_uri'))
    back.searchParams.set('state', get('state'))
    back.searchParams.set('iss', trouble.wrongIssuer ? 'https://impostor.example' : issuer)
    if (trouble.deny) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      const grant = { clientId: get('client_id'), scope: get('scope'), account: get('login') }
      codes.set(code, { ...grant, challenge: get('code_challenge'), redirect: get('redirect_uri') })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  async function token(
    request: IncomingMessage,
    response: ServerResponse,
    body: URLSearchParams,
  ): Promise<unknown> {
    const get = (name: string) => body.get(name) ?? ''
    asked.push(get('grant_type'))
    if (trouble.tokenStatus) return response.writeHead(trouble.tokenStatus).end()
    const [basicId, basicSecret] = basic(request)
    const clientId = basicId ?? get('client_id')
    const proof = dpop ? await proofs.check(request, `${issuer}/token`) : undefined
    if (proof === 'no nonce') {
      response.setHeader('dpop-nonce', proofs.nonce)
      return refuse(response, 'use_dpop_nonce')
    }
    if (proof === 'invalid') return refuse(response, 'invalid_dpop_proof')
    const jkt = proof
    const asserted = get('assertion') || get('client_assertion')
    if (asserted !== '') {
      const account = accountOf(asserted)
      if (account === undefined) return refuse(response, 'invalid_grant')
      return give(response, { clientId, scope: get('scope'), account, jkt }, false)
    }
    const known = clients.get(clientId)
    if (known?.secret !== basicSecret) return refuse(response, 'invalid_client')
    if (get('grant_type') === 'client_credentials') {
      return give(response, { clientId, scope: get('scope'), account: '', jkt }, false)
    }
    if (get('grant_type') === 'refresh_token') {
      const grant = refresh.get(get('refresh_token'))
      // a refresh token can be used only once
      refresh.delete(get('refresh_token'))
      return grant?.clientId === clientId && grant.jkt === jkt
        ? give(response, grant)
        : refuse(response, 'invalid_grant')
    }
    const grant = codes.get(get('code'))
    codes.delete(get('code'))
    const challenge = createHash('sha256').update(get('code_verifier')).digest('base64url')
    const isGood =
      grant?.clientId === clientId &&
      grant.challenge === challenge &&
      grant.redirect === get('redirect_uri')
    return isGood ? give(response, { ...grant, jkt }) : refuse(response, 'invalid_grant')
  }

  function give(response: ServerResponse, grant: Grant, lasting = true): void {
    const { scope } = grant
    const tokens = { access: `access-${randomUUID()}`, refresh: `refresh-${randomUUID()}` }
    access.set(tokens.access, grant)
    if (lasting) refresh.set(tokens.refresh, grant)
    json(response, 200, {
      access_token: tokens.access,
      token_type: grant.jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: 3600,
      scope,
      ...(lasting && { refresh_token: tokens.refresh }),
    })
  }

  /** Revoking a refresh token ends the whole grant, as RFC 7009 recommends. */
  function revokeGrant(response: ServerResponse, token: string): void {
    const grant = refresh.get(token) ?? access.get(token)
    for (const tokens of [refresh, access]) {
      for (const [each, of] of tokens) if (of === grant) tokens.delete(each)
    }
    response.writeHead(200).end()
  }

  function refuse(response: ServerResponse, error: string): void {
    refused.push(error)
    json(response, 400, { error })
  }

  const handle = toNodeHandler(
    createMcpHandler(() => mcpServer(() => currentGrant.getStore()?.account ?? '')),
  )
  const resource = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      return json(response, 200, { resource: url, authorization_servers: [issuer] })
    }
    const [, scheme, sentToken = ''] =
      /^(Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const proof = dpop && scheme ? await proofs.check(request, url, sentToken) : undefined
    const found = access.get(sentToken)
    const grant = (scheme === 'DPoP') === dpop && found?.jkt === proof ? found : undefined
    const where = `resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', url)}"`
    if (proof === 'no nonce') {
      response.setHeader('dpop-nonce', proofs.nonce)
      const challenge = `DPoP error="use_dpop_nonce", ${where}`
      return response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    if (!grant) {
      const challenge = `${dpop ? 'DPoP' : 'Bearer'} ${where}, scope="read"`
      return response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    const lacksScope = toolScope && !grant.scope.split(' ').includes(toolScope)
    // modern clients name the tool in a header
    if (lacksScope && request.headers['mcp-name'] === 'secret_tool') {
      const challenge = `Bearer error="insufficient_scope", ${where}, scope="${toolScope}"`
      return response.writeHead(403, { 'www-authenticate': challenge }).end()
    }
    if (inFrontOf) return passOn(request, response, inFrontOf)
    return currentGrant.run(grant, () => handle(request as Parameters<typeof handle>[0], response))
  })
  const url = `${await listen(resource)}${inFrontOf ? new URL(inFrontOf).pathname : '/mcp'}`

  return {
    url,
    issuer,
    asked,
    refused,
    headers,
    trouble,
    issue(account) {
      const token = `access-${randomUUID()}`
      access.set(token, { clientId: '', scope: 'read', account })
      return token
    },
    expireAccess(account) {
      for (const [token, grant] of access) {
        if (account === undefined || grant.account === account) access.delete(token)
      }
    },
    revoke() {
      access.clear()
      refresh.clear()
    },
    async close() {
      for (const server of [authorization, resource]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/** Checks DPoP proofs (RFC 9449, section 4.3). */
function createProofCheck() {
  const nonce = randomUUID()
  const used = new Set<unknown>()
  return {
    nonce,
    /** The thumbprint of the key, `no nonce` if only the nonce is missing, or undefined. */
    async check(request: IncomingMessage, address: string, token?: string) {
      try {
        const { payload, protectedHeader } = await jwtVerify(
          String(request.headers.dpop),
          EmbeddedJWK,
          { typ: 'dpop+jwt', maxTokenAge: 60 },
        )
        const ath = token && createHash('sha256').update(token).digest('base64url')
        const isFor = payload.htm === request.method && payload.htu === address
        if (!isFor || payload.ath !== ath || used.has(payload.jti)) return 'invalid'
        used.add(payload.jti)
        if (payload.nonce !== nonce) return 'no nonce'
        return await calculateJwkThumbprint(protectedHeader.jwk!)
      } catch {
        return 'invalid'
      }
    },
  }
}

/** @param account whose token the current request has */
function mcpServer(account: () => string): McpServer {
  const server = new McpServer({ name: 'protected', version: '1' }, { capabilities: { tools: {} } })
  const names = ['open_tool', 'secret_tool']
  server.setRequestHandler('tools/list', () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const text = `${params.name} was called${account() && ` by ${account()}`}`
    return { content: [{ type: 'text', text }] }
  })
  return server
}

/** Acts as the person: opens the page, signs in, and follows the redirect. */
export async function visit(address: string | URL): Promise<{ status: number; text: string }> {
  const response = await fetch(address)
  return { status: response.status, text: await response.text() }
}

function passOn(incoming: IncomingMessage, response: ServerResponse, to: string): void {
  const { method = 'GET', headers } = incoming
  const onward = request(new URL(incoming.url!, to), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

function basic(request: IncomingMessage): [string | undefined, string | undefined] {
  const [, coded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (coded === undefined) return [undefined, undefined]
  const [id, secret] = Buffer.from(coded, 'base64').toString().split(':')
  return [id, secret]
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
