import type { ServerConfig } from '../config/gateway-config.ts'
import { signInHint } from '../config/sign-in-hint.ts'
import { createClientTokens } from './client-tokens.ts'
import { remoteServer } from './remote-server.ts'
import { createServerAuth, type ServerAuth } from './server-auth.ts'
import type { SignInStore } from './sign-in-store.ts'
import { createStoredTokens } from './stored-tokens.ts'
import type { TokenSource } from './token-source.ts'

/** The sign-ins of one gateway. */
export interface SignIns {
  /** Returns how to authorize requests to a server. Undefined for a server without sign-in. */
  authFor(config: ServerConfig): ServerAuth | undefined
  /** Reports each sign-in and sign-out, in any process. Returns a function that stops watching. */
  watch(onChange: (server: string) => void): () => void
}

export function createSignIns(store: SignInStore): SignIns {
  const sources = new Map<string, TokenSource>()
  return {
    authFor(config) {
      const server = remoteServer(config)
      if (!server) {
        sources.delete(config.name)
        return undefined
      }
      const { oauth } = server
      const source =
        oauth && oauth.grant !== 'authorization_code'
          ? createClientTokens(server, oauth)
          : createStoredTokens(server, store, `Run: ${signInHint(server.name)}`)
      sources.set(config.name, source)
      return createServerAuth(source)
    },
    watch(onChange) {
      return store.onChange(async () => {
        for (const [server, source] of sources) {
          // If the store cannot be reached, the tokens that are known still apply.
          if (await source.reload().catch(() => false)) onChange(server)
        }
      })
    },
  }
}
