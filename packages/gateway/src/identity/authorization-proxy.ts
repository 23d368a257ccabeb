import type { IssuerProxyConfig } from '../config/team-config.ts'
import { fetchJson } from './fetch-json.ts'
import type { IdTokens } from './id-tokens.ts'
import { createProxiedSignIn } from './proxied-sign-in.ts'
import { isPermittedRedirect } from './redirect-uris.ts'
import { requestedScopes } from './requested-scopes.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'
import { NO_STORE, oauthError, readBody, readForm } from './web-exchange.ts'

/**
 * Stands between MCP clients and an identity provider that lacks registration, RFC 8414 metadata or the
 * parameter `resource`. Every client gets the same client id, which an administrator has registered with
 * the provider, and the provider redirects to the gateway, which passes the code on to the client. The
 * gateway issues no tokens, and stores neither codes nor tokens, except for ID tokens if it is configured to.
 */
export interface AuthorizationProxy {
  serves(path: string): boolean
  /** Rejects if the provider cannot be reached. */
  handle(request: Request, url: URL): Promise<Response>
}

export interface AuthorizationProxyOptions {
  /** The public address of the gateway. */
  readonly url: string
  readonly issuer: TrustedIssuer
  readonly proxy: IssuerProxyConfig
  readonly idTokens: IdTokens
  readonly now: () => number
}

type Route = (request: Request, url: URL) => Promise<Response>

const VERIFIER = /^[\w.~-]{43,128}$/
const MAX_REDIRECT_URIS = 20
/** For providers that do not say how long an access token is valid. */
const ID_TOKEN_MS = 3_600_000

export function createAuthorizationProxy(options: AuthorizationProxyOptions): AuthorizationProxy {
  const { url, issuer, proxy } = options
  const { clientId, clientSecret } = proxy
  const signIn = createProxiedSignIn(options)

  const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
    '/.well-known/oauth-authorization-server': { GET: async () => Response.json(metadata()) },
    '/oauth/register': { POST: register },
    '/oauth/authorize': { GET: signIn.askForConsent, POST: signIn.sendToProvider },
    '/oauth/callback': { GET: signIn.sendToClient },
    '/oauth/token': { POST: (request) => exchange(request).catch(providerIsDown) },
  }

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
    const uris = (body as { redirect_uris?: unknown } | undefined | null)?.redirect_uris
    if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
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
      client_id_issued_at: Math.floor(options.now() / 1_000),
      redirect_uris: uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return Response.json(client, { status: 201, headers: NO_STORE })
  }

  async function exchange(request: Request): Promise<Response> {
    const form = await readForm(request)
    if (form.get('client_id') !== clientId) {
      return oauthError('invalid_client', 'Unknown client.', 401)
    }
    const grant = form.get('grant_type') ?? ''
    const parameters = grantParameters(grant, form)
    if ('problem' in parameters) return oauthError(parameters.error, parameters.problem)
    const { token_endpoint } = await issuer.metadata()
    if (token_endpoint === undefined) return providerIsDown()
    const body = new URLSearchParams({
      grant_type: grant,
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
    const { id_token: idToken, ...answered } = answer.body as Record<string, unknown>
    const { access_token: accessToken, expires_in: seconds } = answered
    if (proxy.keepIdTokens && typeof idToken === 'string' && typeof accessToken === 'string') {
      const keepMs = typeof seconds === 'number' ? seconds * 1_000 : ID_TOKEN_MS
      await options.idTokens.keep(accessToken, idToken, Math.max(1, keepMs))
    }
    return Response.json(answered, { status: answer.status, headers: NO_STORE })
  }

  /** No other grants: the gateway adds its secret, and must not lend it to anybody. */
  function grantParameters(
    grant: string,
    form: URLSearchParams,
  ): Record<string, string> | { readonly error: string; readonly problem: string } {
    if (grant === 'refresh_token') return { refresh_token: form.get('refresh_token') ?? '' }
    if (grant !== 'authorization_code') {
      const problem = 'Use authorization_code or refresh_token.'
      return { error: 'unsupported_grant_type', problem }
    }
    const [code, verifier] = [form.get('code') ?? '', form.get('code_verifier') ?? '']
    // The provider compares it with the challenge of the client, which it got with the sign-in.
    if (code === '' || !VERIFIER.test(verifier)) {
      return { error: 'invalid_grant', problem: 'The code or its verifier is missing.' }
    }
    return { code, code_verifier: verifier, redirect_uri: signIn.callback }
  }

  return {
    serves: (path) => Object.hasOwn(routes, path),
    async handle(request, asked) {
      const run = routes[asked.pathname]?.[request.method]
      return run ? run(request, asked) : new Response(null, { status: 405 })
    },
  }
}

/** Clients of the token endpoint expect JSON. */
function providerIsDown(): Response {
  return oauthError('temporarily_unavailable', 'Try again later.', 503)
}
