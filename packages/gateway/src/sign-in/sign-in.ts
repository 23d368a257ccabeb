import { askChallenge } from './ask-challenge.ts'
import { type CallbackListener, openCallbackListener } from './callback-listener.ts'
import { flowFailure } from './flow-failure.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { type OAuthState, oauthProvider } from './oauth-provider.ts'
import type { RemoteServer } from './remote-server.ts'
import { SignInFailedError } from './sign-in-error.ts'
import type { KeptSignIn, SignInStore } from './sign-in-store.ts'

export interface SignInOptions {
  readonly store: SignInStore
  /** Gets the address that the person has to open. */
  readonly onUrl: (url: URL) => void
  /** Gives up, with its reason as the error if that is a SignInFailedError. */
  readonly signal: AbortSignal
}

/** What came of it, without anything secret. */
export interface SignedIn {
  readonly issuer?: string
  readonly scope?: string
  /** Whether it can be renewed without a person. */
  readonly isLasting: boolean
}

/**
 * Lets a person sign in to a server, by authorization code and PKCE as the SDK does it, and keeps the
 * tokens. What was kept before is replaced only at the end.
 *
 * @throws SignInFailedError
 */
export async function signIn(server: RemoteServer, options: SignInOptions): Promise<SignedIn> {
  const { store, signal } = options
  const kept = await store.read(server)
  const listener = await openCallbackListener({
    fixedPort: server.oauth?.callbackPort,
    likedPort: registeredPort(kept),
  })
  try {
    const next = await throughBrowser(server, kept, listener, options)
    // a gateway that renews the old one at this moment must not write it over the new one
    await store.alone(server, () => store.write(server, next))
    const { issuer, scope, refresh_token } = next.tokens!
    return {
      ...(issuer && { issuer }),
      ...(scope && { scope }),
      isLasting: refresh_token !== undefined,
    }
  } catch (error) {
    const { client, tokens, ...rest } = kept ?? {}
    // the page may have said that it knows no such client: the next time we are a new one
    if (client && !tokens) await store.write(server, rest).catch(() => {})
    throw flowFailure(server.name, signal.aborted ? signal.reason : error)
  } finally {
    await listener.close()
  }
}

async function throughBrowser(
  server: RemoteServer,
  kept: KeptSignIn | undefined,
  { redirectUrl, answer }: CallbackListener,
  { onUrl, signal }: SignInOptions,
): Promise<KeptSignIn> {
  const sdk = await import('@modelcontextprotocol/client')
  const { name, url: serverUrl, oauth } = server
  const fetchFn = oauthFetch(server, signal)
  const challenge = await askChallenge(server, fetchFn)
  if (!challenge) {
    const described = await sdk
      .discoverOAuthProtectedResourceMetadata(serverUrl, {}, fetchFn)
      .catch(() => undefined)
    if (!described) throw new SignInFailedError(`${name} wants no sign-in.`)
  }

  const state: OAuthState = {
    // with another port it would have to come back to where we are not
    client: registeredPort(kept) === Number(new URL(redirectUrl).port) ? kept?.client : undefined,
  }
  let address: URL | undefined
  const provider = oauthProvider({
    oauth,
    state,
    redirectUrl,
    mayRegister: true,
    onRedirect: (to) => {
      address = to
    },
  })
  const proposed = oauth?.scope ?? challenge?.scope
  const scope = kept?.wantedScope
    ? sdk.computeScopeUnion(proposed, kept.tokens?.scope, kept.wantedScope)
    : proposed
  await sdk.auth(provider, { serverUrl, ...challenge, ...(scope && { scope }), fetchFn })
  if (!address || !/^https?:$/.test(address.protocol) || state.state === undefined) {
    throw new SignInFailedError(`${name} names no page to sign in at.`)
  }

  const answered = answer(state.state)
  onUrl(address)
  const params = await unlessAborted(answered, signal)
  const transport = new sdk.StreamableHTTPClientTransport(new URL(serverUrl), {
    authProvider: provider,
    fetch: fetchFn,
  })
  await transport.finishAuth(params)
  if (!state.tokens) throw new SignInFailedError(`${name} gave no token.`)
  // an answer that does not tell the scope means the one that was asked for
  const asked = address.searchParams.get('scope')
  const tokens = { ...(asked && { scope: asked }), ...state.tokens }
  return { tokens, ...(state.client && { client: state.client }) }
}

function registeredPort(kept: KeptSignIn | undefined): number | undefined {
  const client = kept?.client as { redirect_uris?: unknown } | undefined
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
