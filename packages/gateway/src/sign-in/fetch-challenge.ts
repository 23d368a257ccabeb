import type { FetchLike } from '@modelcontextprotocol/client'
import { version } from '../system/version.ts'
import type { RemoteServer } from './remote-server.ts'
import { readChallenge } from './server-auth.ts'
import { SignInFailedError } from './sign-in-error.ts'
import type { Challenge } from './token-source.ts'

/**
 * Connects to a server without a token to get its WWW-Authenticate challenge. Undefined if the server
 * sends none.
 *
 * @throws SignInFailedError if the server cannot be reached
 */
export async function fetchChallenge(
  { name, kind, url }: RemoteServer,
  fetchFn: FetchLike,
): Promise<Challenge | undefined> {
  const sdk = await import('@modelcontextprotocol/client')
  let challenge: Challenge | undefined
  let wasReached = false
  const options = {
    async fetch(to: string | URL, init?: RequestInit) {
      const response = await fetchFn(to, init)
      wasReached = true
      if (response.status === 401 || response.status === 403) {
        const read = await readChallenge(response)
        challenge ??= read.challenge
      }
      return response
    },
  }
  const transport =
    kind === 'sse'
      ? new sdk.SSEClientTransport(new URL(url), options)
      : new sdk.StreamableHTTPClientTransport(new URL(url), options)
  const client = new sdk.Client(
    { name: 'toolsearch-gateway', version },
    { versionNegotiation: { mode: 'auto' } },
  )
  try {
    await client.connect(transport)
    // some servers require a token only from here on
    await client.listTools()
  } catch (error) {
    if (!wasReached) {
      const why = ((error as Error).cause as { code?: unknown } | undefined)?.code ?? error
      throw new SignInFailedError(
        `${name} cannot be reached (${why}). Check that its URL is correct.`,
      )
    }
  } finally {
    await client.close().catch(() => {})
  }
  return challenge
}
