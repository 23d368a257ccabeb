import { beginAuthorization, finishAuthorization, redirectUrls } from './authorization-flow.ts'
import { type CallbackListener, openCallbackListener } from './callback-listener.ts'
import type { RemoteServer } from './remote-server.ts'
import { signInFailure } from './sign-in-error.ts'
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
    await store.withLock(server, (locked) => locked.write(next))
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
  const { url, pending } = await beginAuthorization(server, { stored, redirectUrl, signal })
  const redirected = waitForRedirect(pending.state)
  onUrl(url)
  const params = await unlessAborted(redirected, signal)
  return finishAuthorization(server, pending, params, signal)
}

function registeredPort(stored: StoredSignIn | undefined): number | undefined {
  const [url] = redirectUrls(stored)
  const port = url === undefined ? 0 : Number(new URL(url).port)
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
