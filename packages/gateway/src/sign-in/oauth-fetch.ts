import type { FetchLike } from '@modelcontextprotocol/client'
import type { RemoteServer } from './remote-server.ts'

const TIMEOUT_MS = 15_000

/**
 * The `fetch` for OAuth requests. Sends the configured headers only to the server's own origin, because
 * the server chooses the authorization server, which may be on any host.
 */
export function oauthFetch(
  { url, headers }: Pick<RemoteServer, 'url' | 'headers'>,
  cancel?: AbortSignal,
): FetchLike {
  const { origin } = new URL(url)
  return (to, init) => {
    const all = new Headers(new URL(to).origin === origin ? { ...headers } : {})
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value)
    const signals = [AbortSignal.timeout(TIMEOUT_MS), cancel, init?.signal].filter((each) => !!each)
    return fetch(to, { ...init, headers: all, signal: AbortSignal.any(signals) })
  }
}
