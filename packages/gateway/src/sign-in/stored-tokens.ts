import { setTimeout as nextTimers } from 'node:timers/promises'
import { createSerialQueue } from '../system/serial-queue.ts'
import { checkBinding, createDpopSessions, isBound } from './dpop-key.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { type OAuthState, oauthProvider } from './oauth-provider.ts'
import type { RemoteServer } from './remote-server.ts'
import { renewalFailure, SignInNeededError } from './sign-in-error.ts'
import type { LockedSignIn, OwnedSignIns, StoredSignIn } from './sign-in-store.ts'
import type { Challenge, TokenSource } from './token-source.ts'

// required by the SDK, but never used: renewing a token ends before a redirect
const UNUSED_REDIRECT = 'http://127.0.0.1/callback'

/**
 * The stored tokens of a person who has signed in. The SDK refreshes them.
 *
 * @param hint what the person can do to sign in, as a sentence
 */
export function createStoredTokens(
  server: RemoteServer,
  store: OwnedSignIns,
  hint: string,
): TokenSource {
  let current: Promise<StoredSignIn | undefined> | undefined
  const queue = createSerialQueue()
  const sessions = createDpopSessions()

  function remember(reading: Promise<StoredSignIn | undefined>): typeof reading {
    current = reading
    // a store that could not be reached is asked again
    reading.catch(() => {
      if (current === reading) current = undefined
    })
    return reading
  }

  const reread = (from: { read(key: RemoteServer): Promise<StoredSignIn | undefined> } = store) =>
    remember(from.read(server))

  /** Resolves to false if another process has changed the sign-in meanwhile. */
  async function save(next: StoredSignIn, locked: LockedSignIn): Promise<boolean> {
    current = Promise.resolve(next)
    // even if it cannot be written, this process can use it
    const isWritten = await locked.write(next).catch(() => true)
    // `reload` may have read the old sign-in while the new one was being written
    if (isWritten) current = Promise.resolve(next)
    else await reread()
    return isWritten
  }

  /** Whether a process that took over the lock has renewed the token. */
  async function wasRenewedSince({ tokens }: StoredSignIn): Promise<boolean> {
    const renewed = (await reread())?.tokens?.access_token
    return renewed !== undefined && renewed !== tokens?.access_token
  }

  function exclusively<Result>(task: (locked: LockedSignIn) => Promise<Result>): Promise<Result> {
    return queue.run(() => store.withLock(server, task))
  }

  async function refreshToken(
    stored: StoredSignIn,
    challenge: Challenge,
    locked: LockedSignIn,
  ): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const state: OAuthState = {
      tokens: stored.tokens,
      client: stored.client,
      dpopKey: stored.dpopKey,
    }
    const provider = oauthProvider({
      oauth: server.oauth,
      state,
      redirectUrl: UNUSED_REDIRECT,
      mayRegister: false,
      onRedirect() {
        // the SDK removes rejected tokens; if they are still there, the response was invalid
        if (state.tokens) throw new Error('the authorization server sent an invalid response')
        throw new SignInNeededError()
      },
    })
    try {
      const send = oauthFetch(server)
      const fetchFn: typeof send = async (to, init) => {
        await checkLock(locked)
        return send(to, init)
      }
      await auth(provider, { serverUrl: server.url, ...challenge, fetchFn })
    } catch (error) {
      if (locked.signal?.aborted && (await wasRenewedSince(stored))) return
      if (state.tokens) {
        throw renewalFailure(
          error,
          (why) => `The sign-in to ${server.name} was rejected (${why}). ${hint}`,
        )
      }
      const { tokens: _, dpopKey: __, client, ...rest } = stored
      const isSaved = await save({ ...rest, ...(client && state.client && { client }) }, locked)
      if (!isSaved && (await wasRenewedSince(stored))) return
      throw new SignInNeededError(`The sign-in to ${server.name} has expired. ${hint}`)
    }
    checkBinding(server, state.tokens!)
    await save({ ...stored, tokens: state.tokens! }, locked)
  }

  /** Throws if another process has the lock and will use the refresh token, which works only once. */
  async function checkLock({ signal }: LockedSignIn): Promise<void> {
    // a process that was suspended notices only after its overdue timers have run
    if (signal) await nextTimers(0)
    signal?.throwIfAborted()
  }

  return {
    async token() {
      return (await (current ?? reread()))?.tokens?.access_token
    },
    async dpop() {
      const stored = await (current ?? reread())
      return stored?.dpopKey && isBound(stored.tokens) ? sessions(stored.dpopKey) : undefined
    },
    async renew(rejected, challenge) {
      const needed = () => new SignInNeededError(`${server.name} requires a sign-in. ${hint}`)
      if (!(await reread())?.tokens) throw needed()
      await exclusively(async (locked) => {
        const stored = await reread(locked)
        if (stored?.tokens && stored.tokens.access_token !== rejected) return
        if (!stored?.tokens?.refresh_token) throw needed()
        await refreshToken(stored, challenge, locked)
      })
    },
    extendScope(rejected, challenge) {
      return exclusively(async (locked) => {
        const stored = await reread(locked)
        if (stored?.tokens && stored.tokens.access_token !== rejected) return true
        const { computeScopeUnion } = await import('@modelcontextprotocol/client')
        const wantedScope = computeScopeUnion(stored?.wantedScope, challenge.scope)
        // stored so that the next sign-in requests it
        if (wantedScope && wantedScope !== stored?.wantedScope)
          await save({ ...stored, wantedScope }, locked)
        return false
      })
    },
    async reload() {
      const before = (await current?.catch(() => undefined))?.tokens?.access_token
      return (await reread())?.tokens?.access_token !== before
    },
  }
}
