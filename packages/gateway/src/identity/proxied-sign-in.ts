import type { AuthorizationProxyOptions } from './authorization-proxy.ts'
import { createBrowserNotes } from './browser-notes.ts'
import { html, htmlPage } from './html-page.ts'
import { isSameIssuer } from './issuer-metadata.ts'
import { isPermittedRedirect, receiverOf } from './redirect-uris.ts'
import { requestedScopes } from './requested-scopes.ts'
import { readForm, redirect, signInProblem } from './web-exchange.ts'

/**
 * The way of a browser from an MCP client to the identity provider and back.
 *
 * All clients being one for the provider, it would not ask before it sends a code to a client that a
 * person has never heard of. Therefore redirects are limited to permitted addresses, and the gateway asks
 * each time.
 */
export interface ProxiedSignIn {
  /** Where the provider redirects to. */
  readonly callback: string
  askForConsent(request: Request, url: URL): Promise<Response>
  sendToProvider(request: Request): Promise<Response>
  sendToClient(request: Request, url: URL): Promise<Response>
}

/** A client that waits for a code. */
interface WaitingClient {
  readonly redirectUri: string
  readonly state?: string
  readonly challenge: string
}

const CHALLENGE = /^[\w-]{43}$/
const ERROR_CODE = /^[a-z_]{1,50}$/
const MAX_STATE = 2_048
const MAX_CODE = 8_192
const EXPIRED =
  'This sign-in was started in another browser, or took too long. Start it again in your MCP client.'

export function createProxiedSignIn({
  url,
  issuer,
  proxy,
  now,
}: AuthorizationProxyOptions): ProxiedSignIn {
  const { clientId } = proxy
  const callback = `${url}/oauth/callback`
  const cookieName = 'toolsearch-oauth'
  const consents = createBrowserNotes<WaitingClient>({ cookieName, purpose: 'consent', url, now })
  const waiting = createBrowserNotes<WaitingClient>({ cookieName, purpose: 'waiting', url, now })
  const isPermitted = (uri: unknown) => isPermittedRedirect(uri, proxy.redirectUris)

  return {
    callback,

    async askForConsent(request, { searchParams }) {
      const redirectUri = searchParams.get('redirect_uri') ?? ''
      // Nothing is sent to an address that is not permitted, not even an error.
      if (searchParams.get('client_id') !== clientId) return signInProblem('Unknown client.')
      if (!isPermitted(redirectUri)) {
        return signInProblem('The gateway does not redirect to the address of this client.')
      }
      const state = searchParams.get('state') ?? undefined
      const challenge = searchParams.get('code_challenge') ?? ''
      const isValid =
        searchParams.get('response_type') === 'code' &&
        searchParams.get('code_challenge_method') === 'S256' &&
        CHALLENGE.test(challenge) &&
        (state?.length ?? 0) <= MAX_STATE
      if (!isValid) return signInProblem('The client must send a code challenge (PKCE, S256).')
      const client = { redirectUri, challenge, ...(state !== undefined && { state }) }
      const { text, cookie } = consents.write(request, client)
      const page = htmlPage(
        'Sign in to toolsearch',
        html`<p><strong>${receiverOf(redirectUri)}</strong> asks for access to the tools of <strong>${new URL(url).host}</strong> in your name.</p><p>Continue only if you have just started this sign-in yourself.</p><form method="post" action="/oauth/authorize"><input type="hidden" name="ticket" value="${text}"><button>Continue</button></form><p>Otherwise, close this page.</p>`,
      )
      page.headers.append('set-cookie', cookie)
      return page
    },

    async sendToProvider(request) {
      const form = await readForm(request)
      const client = consents.read(request, form.get('ticket'))
      if (!client || !isPermitted(client.redirectUri)) return signInProblem(EXPIRED)
      const { authorization_endpoint } = await issuer.metadata()
      if (authorization_endpoint === undefined) {
        return signInProblem('The provider has no sign-in.')
      }
      const { text, cookie } = waiting.write(request, client)
      const target = new URL(authorization_endpoint)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback,
        state: text,
        code_challenge: client.challenge,
        code_challenge_method: 'S256',
        scope: requestedScopes(issuer.config).join(' '),
      }
      for (const [name, value] of Object.entries(parameters)) {
        if (value !== '') target.searchParams.set(name, value)
      }
      const response = redirect(target)
      response.headers.append('set-cookie', cookie)
      return response
    },

    async sendToClient(request, { searchParams }) {
      const client = waiting.read(request, searchParams.get('state'))
      if (!client || !isPermitted(client.redirectUri)) return signInProblem(EXPIRED)
      const iss = searchParams.get('iss')
      // Another provider could otherwise have its code sent to ours (RFC 9207).
      if (iss !== null && !isSameIssuer(iss, issuer.config.issuer)) return signInProblem(EXPIRED)
      const target = new URL(client.redirectUri)
      const code = searchParams.get('code') ?? ''
      if (code !== '' && code.length <= MAX_CODE) target.searchParams.set('code', code)
      else {
        const error = searchParams.get('error') ?? ''
        target.searchParams.set('error', ERROR_CODE.test(error) ? error : 'server_error')
      }
      if (client.state !== undefined) target.searchParams.set('state', client.state)
      target.searchParams.set('iss', url)
      return redirect(target)
    },
  }
}
