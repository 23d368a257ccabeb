import { checkBinding, createDpopKey, isBound, usesDpop } from './dpop-key.ts'
import { fetchChallenge } from './fetch-challenge.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { type OAuthState, oauthProvider } from './oauth-provider.ts'
import type { RemoteServer } from './remote-server.ts'
import { SignInFailedError } from './sign-in-error.ts'
import type { StoredSignIn } from './sign-in-store.ts'

/** A flow that waits for the browser's redirect. Plain data, so that any process can finish it. All secret. */
export interface PendingAuthorization {
  readonly redirectUrl: string
  /** The OAuth `state` parameter, which the redirect must contain. */
  readonly state: string
  /** The scope of the request, if it has one. */
  readonly scope?: string
  readonly flow: Pick<OAuthState, 'client' | 'discovery' | 'verifier' | 'dpopKey'>
}

export interface BeginAuthorizationOptions {
  /** An earlier sign-in: its client is used again, and the scopes that were missing are requested. */
  readonly stored?: StoredSignIn | undefined
  readonly redirectUrl: string
  readonly signal?: AbortSignal
}

/**
 * Starts the SDK's authorization code flow with PKCE.
 *
 * @returns the URL that a person must open, and what is needed to finish
 * @throws SignInFailedError, or an error for `signInFailure`
 */
export async function beginAuthorization(
  server: RemoteServer,
  { stored, redirectUrl, signal }: BeginAuthorizationOptions,
): Promise<{ url: URL; pending: PendingAuthorization }> {
  const sdk = await import('@modelcontextprotocol/client')
  const { name, url: serverUrl, oauth } = server
  const fetchFn = oauthFetch(server, { cancel: signal })
  const challenge = await fetchChallenge(server, fetchFn)
  if (!challenge) {
    const metadata = await sdk
      .discoverOAuthProtectedResourceMetadata(serverUrl, {}, fetchFn)
      .catch(() => undefined)
    if (!metadata) throw new SignInFailedError(`${name} does not require a sign-in.`)
  }

  // a client registered with another URL would redirect to the wrong place
  const isRegistered = redirectUrls(stored).includes(redirectUrl)
  const state: OAuthState = { client: isRegistered ? stored?.client : undefined }
  let url: URL | undefined
  const provider = oauthProvider({
    oauth,
    state,
    redirectUrl,
    mayRegister: true,
    onRedirect: (to) => {
      url = to
    },
  })
  const proposed = oauth?.scope ?? challenge?.scope
  const scope = stored?.wantedScope
    ? sdk.computeScopeUnion(proposed, stored.tokens?.scope, stored.wantedScope)
    : proposed
  await sdk.auth(provider, { serverUrl, ...challenge, ...(scope && { scope }), fetchFn })
  if (!url || !/^https?:$/.test(url.protocol) || state.state === undefined) {
    throw new SignInFailedError(`${name} did not provide a valid URL for the sign-in page.`)
  }
  const requested = url.searchParams.get('scope')
  const { client, discovery, verifier } = state
  const dpopKey = usesDpop(oauth, challenge, discovery) ? await createDpopKey() : undefined
  const flow = {
    ...(client && { client }),
    ...(discovery && { discovery }),
    ...(verifier && { verifier }),
    ...(dpopKey && { dpopKey }),
  }
  return {
    url,
    pending: { redirectUrl, state: state.state, ...(requested && { scope: requested }), flow },
  }
}

/**
 * Finishes a flow with the parameters of the redirect, whose `state` the caller has checked.
 *
 * @throws SignInFailedError, or an error for `signInFailure`
 */
export async function finishAuthorization(
  server: RemoteServer,
  { redirectUrl, scope, flow }: PendingAuthorization,
  params: URLSearchParams,
  signal?: AbortSignal,
): Promise<StoredSignIn> {
  const sdk = await import('@modelcontextprotocol/client')
  const state: OAuthState = { ...flow }
  const authProvider = oauthProvider({
    oauth: server.oauth,
    state,
    redirectUrl,
    mayRegister: true,
    onRedirect() {},
  })
  const transport = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    authProvider,
    fetch: oauthFetch(server, { cancel: signal }),
  })
  await transport.finishAuth(params)
  if (!state.tokens) {
    throw new SignInFailedError(`The authorization server of ${server.name} returned no token.`)
  }
  // a response without a scope grants the requested scope
  const tokens = { ...(scope && { scope }), ...state.tokens }
  checkBinding(server, tokens)
  const { client, dpopKey } = state
  return {
    tokens,
    ...(client && { client }),
    ...(dpopKey && isBound(tokens) && { dpopKey }),
  }
}

/** The redirect URLs that the stored client was registered with. */
export function redirectUrls(stored: StoredSignIn | undefined): readonly string[] {
  const client = stored?.client as { redirect_uris?: unknown } | undefined
  const urls = Array.isArray(client?.redirect_uris) ? client.redirect_uris : []
  return urls.filter((url) => URL.canParse(url))
}
