import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi'
import type { IdentityConfig, IssuerPageConfig } from '../config/team-config.ts'
import { createBrowserNotes } from './browser-notes.ts'
import { isSafeUrl } from './fetch-json.ts'
import { html, htmlPage } from './html-page.ts'
import type { OnRefusedSignIn } from './identity.ts'
import { clientOf } from './page-client.ts'
import type { PageSessions } from './page-sessions.ts'
import type { Person } from './person.ts'
import { personFromClaims } from './person-from-claims.ts'
import type { TokenCheck } from './token-check.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'
import { redirect, signInProblem } from './web-exchange.ts'

/** Lets people sign in to the inspector with their browser (authorization code, PKCE). */
export interface PageSignIn {
  serves(path: string): boolean
  /** Rejects if the provider or the store of sessions cannot be reached. */
  handle(request: Request, url: URL, onRefused?: OnRefusedSignIn): Promise<Response>
}

export interface PageSignInOptions {
  readonly config: IdentityConfig
  readonly issuers: readonly TrustedIssuer[]
  readonly sessions: PageSessions
  readonly checkToken: TokenCheck
  readonly now: () => number
}

/** A sign-in that is under way. */
interface Started {
  /** Which of the issuers. */
  readonly index: number
  readonly verifier: string
  readonly nonce: string
  readonly returnTo: string
}

/** Where providers send browsers. */
export const SIGN_IN_CALLBACK = '/sign-in/callback'

const MAX_RETURN = 1_024
const TIMEOUT_MS = 10_000
const EXPIRED =
  'This sign-in was started in another browser, or took too long. Open the page again.'
const NOT_CONFIGURED =
  'The configuration of this gateway has no client for the inspector: see toolsearch.identity.issuers[].page. Use the command line with an API key instead.'

export function createPageSignIn(options: PageSignInOptions): PageSignIn {
  const { config, issuers, sessions, checkToken, now } = options
  const { url } = config
  const callback = `${url}${SIGN_IN_CALLBACK}`
  const started = createBrowserNotes<Started>({
    cookieName: 'toolsearch-sign-in',
    purpose: 'page',
    url,
    now,
  })

  async function start(request: Request, { searchParams }: URL): Promise<Response> {
    const usable = issuers.flatMap((issuer, index) => (clientOf(issuer.config) ? [index] : []))
    const wanted = searchParams.get('issuer')
    const index = wanted === null ? usable[0] : usable.find((each) => String(each) === wanted)
    const returnTo = localPath(searchParams.get('return'), url)
    if (index === undefined) return signInProblem(NOT_CONFIGURED)
    if (wanted === null && usable.length > 1) return chooseIssuer(usable, returnTo)
    return sendToProvider(request, index, returnTo)
  }

  function chooseIssuer(usable: readonly number[], returnTo: string): Response {
    const links = usable.map((index) => {
      const query = new URLSearchParams({ issuer: String(index), return: returnTo })
      const name = issuers[index]?.config.issuer ?? ''
      return html`<li><a href="/sign-in?${query.toString()}">${name}</a></li>`.html
    })
    return htmlPage('Sign in with', html`<ul>${{ html: links.join('') }}</ul>`)
  }

  async function sendToProvider(
    request: Request,
    index: number,
    returnTo: string,
  ): Promise<Response> {
    const issuer = issuers[index]!
    const client = clientOf(issuer.config)!
    const { authorization_endpoint } = await issuer.metadata()
    if (authorization_endpoint === undefined) return signInProblem('The provider has no sign-in.')
    const oauth = await import('oauth4webapi')
    const verifier = oauth.generateRandomCodeVerifier()
    const nonce = oauth.generateRandomNonce()
    const { text, cookie } = started.write(request, { index, verifier, nonce, returnTo })
    const target = new URL(authorization_endpoint)
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: callback,
      scope: scopesOf(client, issuer).join(' '),
      state: text,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...resourceOf(issuer),
    }
    for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
    const response = redirect(target)
    response.headers.append('set-cookie', cookie)
    return response
  }

  async function finish(
    request: Request,
    { searchParams }: URL,
    onRefused: OnRefusedSignIn,
  ): Promise<Response> {
    const refused = (message: string) => {
      const response = signInProblem(message)
      onRefused(message, response.status)
      return response
    }
    const found = started.read(request, searchParams.get('state'))
    const issuer = found && issuers[found.index]
    const client = issuer && clientOf(issuer.config)
    if (!found || !issuer || !client) return refused(EXPIRED)
    if (searchParams.has('error')) return refused('The identity provider refused the sign-in.')
    const tokens = await exchange(issuer, client, found, searchParams)
    const signedIn = await personOf(issuer, client, tokens)
    if ('problem' in signedIn) return refused(signedIn.problem)
    const response = redirect(new URL(localPath(found.returnTo, url), url))
    response.headers.append('set-cookie', await sessions.open(signedIn.person))
    return response
  }

  async function exchange(
    issuer: TrustedIssuer,
    client: IssuerPageConfig,
    { verifier, nonce }: Started,
    parameters: URLSearchParams,
  ): Promise<TokenEndpointResponse> {
    const oauth = await import('oauth4webapi')
    const server = (await issuer.metadata()) as AuthorizationServer
    const about = { client_id: client.clientId, [oauth.clockTolerance]: config.clockSkewSeconds }
    const authentication =
      client.clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(client.clientSecret)
    const state = parameters.get('state') ?? oauth.expectNoState
    const checked = oauth.validateAuthResponse(server, about, parameters, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      about,
      authentication,
      checked,
      callback,
      verifier,
      {
        additionalParameters: resourceOf(issuer),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // Checked when the metadata was read: only addresses of this machine are not encrypted.
        [oauth.allowInsecureRequests]: isSafeUrl(server.token_endpoint ?? ''),
      },
    )
    return oauth.processAuthorizationCodeResponse(server, about, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
  }

  /** The same person as with the same access token at `/mcp`, if the provider issues such tokens. */
  async function personOf(
    issuer: TrustedIssuer,
    client: IssuerPageConfig,
    { access_token, id_token = '' }: TokenEndpointResponse,
  ): Promise<{ readonly person: Person } | { readonly problem: string }> {
    const known = await checkToken(access_token, '/')
    if ('person' in known) return known
    if (known.refusal.status !== 401) return { problem: known.refusal.message }
    // The access token is not meant for the gateway. The ID token says who has signed in, but nothing
    // about scopes.
    if (issuer.config.requiredScopes.length > 0) {
      return { problem: 'The identity provider issued no token for this gateway.' }
    }
    const claims = await issuer.verify(id_token)
    const { administrators } = config
    const claimed = personFromClaims(claims, { ...issuer.config, administrators })
    if ('person' in claimed && !claimed.audiences.includes(client.clientId)) {
      return { problem: 'The ID token is for another client.' }
    }
    return claimed
  }

  /** Providers that need a proxy don't know this parameter. */
  function resourceOf({ config }: TrustedIssuer): { resource?: string } {
    return config.proxy ? {} : { resource: `${url}/mcp` }
  }

  async function signOut(request: Request): Promise<Response> {
    const page = htmlPage('You have signed out', html`<p><a href="/sign-in">Sign in again</a></p>`)
    page.headers.append('set-cookie', await sessions.close(request))
    return page
  }

  const routes: Readonly<
    Record<
      string,
      readonly [
        string,
        (request: Request, url: URL, onRefused: OnRefusedSignIn) => Promise<Response>,
      ]
    >
  > = {
    '/sign-in': ['GET', start],
    [SIGN_IN_CALLBACK]: ['GET', finish],
    // Not by a link: another site could sign people out.
    '/sign-out': ['POST', signOut],
  }

  return {
    serves: (path) => Object.hasOwn(routes, path),
    async handle(request, asked, onRefused = () => {}) {
      const [method, run] = routes[asked.pathname] ?? []
      return run && request.method === method
        ? run(request, asked, onRefused)
        : new Response(null, { status: 405 })
    },
  }
}

function scopesOf({ scopes }: IssuerPageConfig, { config }: TrustedIssuer): readonly string[] {
  const chosen =
    scopes && scopes.length > 0 ? scopes : ['profile', 'email', ...config.requiredScopes]
  return [...new Set(['openid', ...chosen])]
}

/** A path of the gateway to return to. Never another site. */
function localPath(path: string | null, url: string): string {
  if (path === null || path.length > MAX_RETURN || !path.startsWith('/')) return '/'
  if (!URL.canParse(path, url)) return '/'
  const { origin, pathname, search, hash } = new URL(path, url)
  return origin === url ? `${pathname}${search}${hash}` : '/'
}
