import { type CallbackListener, openCallbackListener } from './callback-listener.ts'
import { fetchChallenge } from './fetch-challenge.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { type OAuthState, oauthProvider } from './oauth-provider.ts'
import type { RemoteServer } from './remote-server.ts'
import { SignInFailedError, signInFailure } from './sign-in-error.ts'
import type { SignInStore, StoredSignIn } from './sign-in-store.ts'

export interface SignInOptions {
  readonly store: SignInStore
  /** Called with the URL to open in a browser. */
  readonly onUrl: (url: URL) => void
  /** Cancels the sign-in. If its reason is a SignInFailedError, `signIn` rejects with it. */
  readonly signal: AbortSignal
}

/** The result of a sign-in, without secrets. */
export interface SignedIn {
  readonly issuer?: string
  readonly scope?: string
  /** Whether the access token can be renewed without a person. */
  readonly isLasting: boolean
}

/**
 * Signs a person in to a server with the SDK's authorization code flow and PKCE, and stores the tokens.
 * Replaces an earlier sign-in only on success.
 *
 * @throws SignInFailedError
 */
export async function signIn(server: RemoteServer, options: SignInOptions): Promise<SignedIn> {
  const { store, signal } = options
  const stored = await store.read(server)
  const listener = await openCallbackListener({
    fixedPort: server.oauth?.callbackPort,
    preferredPort: registeredPort(stored),
  })
  try {
    const next = await authorizeInBrowser(server, stored, listener, options)
    // a gateway that is renewing the old tokens must not overwrite the new ones
    await store.withLock(server, () => store.write(server, next))
    const { issuer, scope, refresh_token } = next.tokens!
    return {
      ...(issuer && { issuer }),
      ...(scope && { scope }),
      isLasting: refresh_token !== undefined,
    }
  } catch (error) {
    const { client, tokens, ...rest } = stored ?? {}
    // the authorization server may have deleted the client: register a new one next time
    if (client && !tokens) await store.write(server, rest).catch(() => {})
    throw signInFailure(server.name, signal.aborted ? signal.reason : error)
  } finally {
    await listener.close()
  }
}

async function authorizeInBrowser(
  server: RemoteServer,
  stored: StoredSignIn | undefined,
  { redirectUrl, waitForRedirect }: CallbackListener,
  { onUrl, signal }: SignInOptions,
): Promise<StoredSignIn> {
  const sdk = await import('@modelcontextprotocol/client')
  const { name, url: serverUrl, oauth } = server
  const fetchFn = oauthFetch(server, signal)
  const challenge = await fetchChallenge(server, fetchFn)
  if (!challenge) {
    const metadata = await sdk
      .discoverOAuthProtectedResourceMetadata(serverUrl, {}, fetchFn)
      .catch(() => undefined)
    if (!metadata) throw new SignInFailedError(`${name} does not require a sign-in.`)
  }

  const state: OAuthState = {
    // a client registered with another port would redirect to the wrong place
    client:
      registeredPort(stored) === Number(new URL(redirectUrl).port) ? stored?.client : undefined,
  }
  let signInUrl: URL | undefined
  const provider = oauthProvider({
    oauth,
    state,
    redirectUrl,
    mayRegister: true,
    onRedirect: (to) => {
      signInUrl = to
    },
  })
  const proposed = oauth?.scope ?? challenge?.scope
  const scope = stored?.wantedScope
    ? sdk.computeScopeUnion(proposed, stored.tokens?.scope, stored.wantedScope)
    : proposed
  await sdk.auth(provider, { serverUrl, ...challenge, ...(scope && { scope }), fetchFn })
  if (!signInUrl || !/^https?:$/.test(signInUrl.protocol) || state.state === undefined) {
    throw new SignInFailedError(`${name} did not provide a valid URL for the sign-in page.`)
  }

  const redirected = waitForRedirect(state.state)
  onUrl(signInUrl)
  const params = await unlessAborted(redirected, signal)
  const transport = new sdk.StreamableHTTPClientTransport(new URL(serverUrl), {
    authProvider: provider,
    fetch: fetchFn,
  })
  await transport.finishAuth(params)
  if (!state.tokens)
    throw new SignInFailedError(`The authorization server of ${name} returned no token.`)
  // a response without a scope grants the requested scope
  const requested = signInUrl.searchParams.get('scope')
  const tokens = { ...(requested && { scope: requested }), ...state.tokens }
  return { tokens, ...(state.client && { client: state.client }) }
}

function registeredPort(stored: StoredSignIn | undefined): number | undefined {
  const client = stored?.client as { redirect_uris?: unknown } | undefined
  const uris = Array.isArray(client?.redirect_uris) ? client.redirect_uris : []
  const port = URL.canParse(uris[0]) ? Number(new URL(uris[0]).port) : 0
  return port > 0 ? port : undefined
}

function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
