import type { FetchLike } from '@modelcontextprotocol/client'
import type { RemoteServer } from './remote-server.ts'
import { SignInFailedError } from './sign-in-error.ts'
import type { Challenge } from './token-source.ts'

/**
 * Calls on a server without a token, to hear what it says of signing in. Undefined if it says nothing
 * of that, because it lets us in or does not understand.
 *
 * @throws SignInFailedError if it cannot be reached
 */
export async function askChallenge(
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
        const { scope, resourceMetadataUrl } = sdk.extractWWWAuthenticateParams(response)
        challenge ??= {
          ...(scope && { scope }),
          ...(resourceMetadataUrl && { resourceMetadataUrl }),
        }
      }
      return response
    },
  }
  const transport =
    kind === 'sse'
      ? new sdk.SSEClientTransport(new URL(url), options)
      : new sdk.StreamableHTTPClientTransport(new URL(url), options)
  const client = new sdk.Client(
    { name: 'toolsearch-gateway', version: '0.1.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  try {
    await client.connect(transport)
    // there are servers that ask only here
    await client.listTools()
  } catch (error) {
    if (!wasReached) {
      const why = ((error as Error).cause as { code?: unknown } | undefined)?.code ?? error
      throw new SignInFailedError(`${name} cannot be reached (${why}). See that its URL is right.`)
    }
  } finally {
    await client.close().catch(() => {})
  }
  return challenge
}
