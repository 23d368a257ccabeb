import type { FetchLike } from '@modelcontextprotocol/client'
import type { RemoteServer } from './remote-server.ts'

const PATIENCE_MS = 15_000

/**
 * Fetches what a sign-in needs. The headers that are configured for a server are sent to its own
 * origin alone: where to sign in is told by the server, and may be anywhere.
 */
export function oauthFetch(
  { url, headers }: Pick<RemoteServer, 'url' | 'headers'>,
  cancel?: AbortSignal,
): FetchLike {
  const { origin } = new URL(url)
  return (to, init) => {
    const all = new Headers(new URL(to).origin === origin ? { ...headers } : {})
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value)
    const signals = [AbortSignal.timeout(PATIENCE_MS), cancel, init?.signal].filter(
      (each) => !!each,
    )
    return fetch(to, { ...init, headers: all, signal: AbortSignal.any(signals) })
  }
}
