import { createHash } from 'node:crypto'
import type { IssuerProxyConfig } from '../config/team-config.ts'
import type { SharedState } from '../state/shared-state.ts'
import { isSameSecret } from '../system/is-same-secret.ts'
import { createBrowserBinding } from './browser-binding.ts'
import { fetchJson } from './fetch-json.ts'
import { html, htmlPage } from './html-page.ts'
import { isSameIssuer } from './issuer-metadata.ts'
import { isPermittedRedirect, receiverOf } from './redirect-uris.ts'
import { requestedScopes } from './requested-scopes.ts'
import { createSealedRecords } from './sealed-records.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'
import {
  NO_STORE,
  oauthError,
  readBody,
  readForm,
  redirect,
  signInProblem,
} from './web-exchange.ts'

/**
 * Stands between MCP clients and an identity provider that lacks registration, RFC 8414 metadata or the
 * parameter `resource`. Every client gets the same client id, which an administrator has registered with
 * the provider, and the provider redirects to the gateway, which passes the code on to the client. The
 * gateway issues no tokens and keeps none.
 *
 * All clients being one for the provider, it would not ask before it sends a code to a client that a
 * person has never heard of. Therefore redirects are limited to permitted addresses, and the gateway asks
 * each time. The code is bound to the client's PKCE challenge and redirect URI.
 */
export interface AuthorizationProxy {
  serves(path: string): boolean
  /** Rejects if the provider or the shared state cannot be reached. */
  handle(request: Request): Promise<Response>
}

export interface AuthorizationProxyOptions {
  /** The public address of the gateway. */
  readonly url: string
  readonly issuer: TrustedIssuer
  readonly proxy: IssuerProxyConfig
  readonly state: SharedState
}

/** A client that waits for a code. */
interface Waiting {
  readonly redirectUri: string
  readonly state?: string
  readonly challenge: string
  /** The browser in which it started. */
  readonly browser: string
}

const TTL_MS = 600_000
const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/
const MAX_STATE = 4_096
const EXPIRED =
  'This sign-in was started in another browser, has been completed or took too long. Start it again in your MCP client.'

export function createAuthorizationProxy({
  url,
  issuer,
  proxy,
  state,
}: AuthorizationProxyOptions): AuthorizationProxy {
  const { clientId, clientSecret } = proxy
  const callback = `${url}/oauth/callback`
  const browsers = createBrowserBinding('toolsearch-oauth', url)
  const consents = createSealedRecords<Waiting>(state, 'oauth-consent')
  const waiting = createSealedRecords<Waiting>(state, 'oauth-waiting')
  const codeName = (code: string) =>
    `oauth-code:${createHash('sha256').update(code).digest('base64url')}`

  const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
    '/.well-known/oauth-authorization-server': { GET: async () => Response.json(metadata()) },
    '/oauth/register': { POST: register },
    '/oauth/authorize': { GET: askForConsent, POST: sendToProvider },
    '/oauth/callback': { GET: sendToClient },
    '/oauth/token': { POST: (request) => exchange(request).catch(providerIsDown) },
  }
  type Route = (request: Request) => Promise<Response>

  function metadata(): object {
    return {
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: requestedScopes(issuer.config),
    }
  }

  async function register(request: Request): Promise<Response> {
    const body = await readBody(request, JSON.parse)
    const uris = (body as { redirect_uris?: unknown } | undefined)?.redirect_uris
    if (!Array.isArray(uris) || uris.length === 0 || uris.length > 20) {
      return oauthError('invalid_client_metadata', 'redirect_uris must be a list of addresses.')
    }
    if (!uris.every((uri) => isPermittedRedirect(uri, proxy.redirectUris))) {
      return oauthError(
        'invalid_redirect_uri',
        'This gateway does not redirect to all of these addresses. Its administrator permits addresses in redirectUris.',
      )
    }
    const client = {
      client_id: clientId,
      client_id_issued_at: Math.floor(Date.now() / 1_000),
      redirect_uris: uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return Response.json(client, { status: 201, headers: NO_STORE })
  }

  async function askForConsent(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const redirectUri = searchParams.get('redirect_uri')
    // Nothing is sent to an address that is not permitted, not even an error.
    if (searchParams.get('client_id') !== clientId) return signInProblem('Unknown client.')
    if (!isPermittedRedirect(redirectUri, proxy.redirectUris)) {
      return signInProblem('The gateway does not redirect to the address of this client.')
    }
    const clientState = searchParams.get('state') ?? undefined
    const challenge = searchParams.get('code_challenge') ?? ''
    const isValid =
      searchParams.get('response_type') === 'code' &&
      searchParams.get('code_challenge_method') === 'S256' &&
      CHALLENGE.test(challenge) &&
      (clientState?.length ?? 0) <= MAX_STATE
    if (!isValid) return signInProblem('The client must send a code challenge (PKCE, S256).')
    const browser = browsers.of(request)
    const record = { redirectUri, challenge, browser: browser.id }
    const ticket = await consents.add(
      { ...record, ...(clientState !== undefined && { state: clientState }) },
      TTL_MS,
    )
    const page = htmlPage(
      'Sign in to toolsearch',
      html`<p><strong>${receiverOf(redirectUri)}</strong> asks for access to the tools of <strong>${new URL(url).host}</strong> in your name.</p><p>Continue only if you have just started this sign-in yourself.</p><form method="post" action="/oauth/authorize"><input type="hidden" name="ticket" value="${ticket}"><button>Continue</button></form><p>Otherwise, close this page.</p>`,
    )
    page.headers.append('set-cookie', browser.cookie)
    return page
  }

  async function sendToProvider(request: Request): Promise<Response> {
    const form = await readForm(request)
    const consented = await consents.take(form.get('ticket') ?? '')
    if (!consented || !browsers.isSame(request, consented.browser)) return signInProblem(EXPIRED)
    const { authorization_endpoint } = await issuer.metadata()
    if (authorization_endpoint === undefined) return signInProblem('The provider has no sign-in.')
    const target = new URL(authorization_endpoint)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback,
      state: await waiting.add(consented, TTL_MS),
      code_challenge: consented.challenge,
      code_challenge_method: 'S256',
      scope: requestedScopes(issuer.config).join(' '),
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== '') target.searchParams.set(name, value)
    }
    return redirect(target)
  }

  async function sendToClient(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const found = await waiting.take(searchParams.get('state') ?? '')
    if (!found || !browsers.isSame(request, found.browser)) return signInProblem(EXPIRED)
    const iss = searchParams.get('iss')
    if (iss !== null && !isSameIssuer(iss, issuer.config.issuer)) return signInProblem(EXPIRED)
    const target = new URL(found.redirectUri)
    const code = searchParams.get('code')
    if (code !== null && code !== '') {
      const { challenge, redirectUri } = found
      await state.set(codeName(code), JSON.stringify({ challenge, redirectUri }), TTL_MS)
      target.searchParams.set('code', code)
    } else {
      const error = searchParams.get('error') ?? ''
      target.searchParams.set('error', /^[a-z_]{1,50}$/.test(error) ? error : 'server_error')
    }
    if (found.state !== undefined) target.searchParams.set('state', found.state)
    target.searchParams.set('iss', url)
    return redirect(target)
  }

  async function exchange(request: Request): Promise<Response> {
    const form = await readForm(request)
    if (form.get('client_id') !== clientId)
      return oauthError('invalid_client', 'Unknown client.', 401)
    const grant = form.get('grant_type')
    // No other grants: the gateway adds its secret, and must not act for anybody with it.
    const parameters =
      grant === 'authorization_code'
        ? await codeGrant(form)
        : grant === 'refresh_token'
          ? { refresh_token: form.get('refresh_token') ?? '' }
          : undefined
    if (!parameters) {
      return grant === 'authorization_code'
        ? oauthError('invalid_grant', 'The code is not valid for this client.')
        : oauthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
    }
    const { token_endpoint } = await issuer.metadata()
    if (token_endpoint === undefined) return oauthError('server_error', 'No token endpoint.', 503)
    const body = new URLSearchParams({
      grant_type: String(grant),
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...parameters,
    })
    const answer = await fetchJson(token_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
      timeoutMs: 10_000,
    })
    if (answer.status >= 500) return providerIsDown()
    // The client did not ask who the person is.
    const { id_token: _, ...answered } = answer.body as Record<string, unknown>
    return Response.json(answered, { status: answer.status, headers: NO_STORE })
  }

  /** Undefined if the code was not issued to this client, or was used before. */
  async function codeGrant(form: URLSearchParams): Promise<Record<string, string> | undefined> {
    const code = form.get('code') ?? ''
    const verifier = form.get('code_verifier') ?? ''
    if (code === '' || code.length > MAX_STATE || !VERIFIER.test(verifier)) return undefined
    const stored = await state.get(codeName(code))
    if (stored === undefined || !(await state.delete(codeName(code)))) return undefined
    const { challenge, redirectUri } = JSON.parse(stored) as Pick<
      Waiting,
      'challenge' | 'redirectUri'
    >
    const actual = createHash('sha256').update(verifier).digest('base64url')
    if (form.get('redirect_uri') !== redirectUri || !isSameSecret(actual, challenge)) {
      return undefined
    }
    return { code, code_verifier: verifier, redirect_uri: callback }
  }

  return {
    serves: (path) => Object.hasOwn(routes, path),
    async handle(request) {
      const { pathname } = new URL(request.url)
      const run = routes[pathname]?.[request.method]
      return run ? run(request) : new Response(null, { status: 405 })
    },
  }
}

/** Clients of the token endpoint expect JSON. */
function providerIsDown(): Response {
  return oauthError('temporarily_unavailable', 'Try again later.', 503)
}
