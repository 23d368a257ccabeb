import { signInHint } from '../config/sign-in-hint.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { type OAuthState, oauthProvider } from './oauth-provider.ts'
import type { RemoteServer } from './remote-server.ts'
import { renewalFailure } from './renewal-failure.ts'
import { SignInNeededError } from './sign-in-error.ts'
import type { KeptSignIn, SignInStore } from './sign-in-store.ts'
import type { Challenge, TokenSource } from './token-source.ts'

// nobody is sent there: this flow ends before
const NOWHERE = 'http://127.0.0.1/callback'

/** Tokens of a person who has signed in, refreshed by the SDK. */
export function createKeptTokens(server: RemoteServer, store: SignInStore): TokenSource {
  const run = `run: ${signInHint(server.name)}`
  let known: Promise<KeptSignIn | undefined> | undefined
  const queue = createSerialQueue()

  function reread(): Promise<KeptSignIn | undefined> {
    known = store.read(server)
    return known
  }

  async function keep(kept: KeptSignIn): Promise<void> {
    known = Promise.resolve(kept)
    // this process has it, also where it cannot be written
    await store.write(server, kept).catch(() => {})
  }

  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    return queue.run(() => store.alone(server, task))
  }

  async function askForRefresh(kept: KeptSignIn, challenge: Challenge): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const state: OAuthState = { tokens: kept.tokens, client: kept.client }
    const provider = oauthProvider({
      oauth: server.oauth,
      state,
      redirectUrl: NOWHERE,
      mayRegister: false,
      onRedirect() {
        // the SDK drops tokens that were refused; if they are there, no answer came
        if (state.tokens) throw new Error('the authorization server did not answer as it should')
        throw new SignInNeededError()
      },
    })
    try {
      const fetchFn = oauthFetch(server)
      await auth(provider, { serverUrl: server.url, ...challenge, fetchFn })
    } catch (error) {
      if (state.tokens) {
        throw renewalFailure(
          error,
          (why) => `The sign-in to ${server.name} is refused (${why}), ${run}`,
        )
      }
      const { tokens: _, client, ...rest } = kept
      await keep({ ...rest, ...(client && state.client && { client }) })
      throw new SignInNeededError(`The sign-in to ${server.name} has ended, ${run}`)
    }
    await keep({ ...kept, tokens: state.tokens! })
  }

  return {
    async token() {
      known ??= store.read(server)
      return (await known)?.tokens?.access_token
    },
    async renew(refused, challenge) {
      const wanted = () => new SignInNeededError(`${server.name} wants a sign-in, ${run}`)
      if (!(await reread())?.tokens) throw wanted()
      await inTurn(async () => {
        const kept = await reread()
        if (kept?.tokens && kept.tokens.access_token !== refused) return
        if (!kept?.tokens?.refresh_token) throw wanted()
        await askForRefresh(kept, challenge)
      })
    },
    widen(refused, challenge) {
      return inTurn(async () => {
        const kept = await reread()
        if (kept?.tokens && kept.tokens.access_token !== refused) return true
        const { computeScopeUnion } = await import('@modelcontextprotocol/client')
        const wantedScope = computeScopeUnion(kept?.wantedScope, challenge.scope)
        // the next sign-in asks for it
        if (wantedScope && wantedScope !== kept?.wantedScope) await keep({ ...kept, wantedScope })
        return false
      })
    },
    async refresh() {
      const before = (await known)?.tokens?.access_token
      return (await reread())?.tokens?.access_token !== before
    },
  }
}
