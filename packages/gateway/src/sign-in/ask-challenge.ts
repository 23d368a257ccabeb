import type { FetchLike } from '@modelcontextprotocol/client'
import type { RemoteServer } from './remote-server.ts'
import type { Challenge } from './token-source.ts'

const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'toolsearch-gateway', version: '0.1.0' },
  },
}

/** Knocks without a token, to hear what the server says of signing in. Undefined if it lets us in. */
export async function askChallenge(
  { kind, url }: RemoteServer,
  fetchFn: FetchLike,
): Promise<Challenge | undefined> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const response = await fetchFn(url, {
    ...(kind === 'http' && { method: 'POST', body: JSON.stringify(HELLO) }),
    headers: {
      'content-type': 'application/json',
      accept: kind === 'http' ? 'application/json, text/event-stream' : 'text/event-stream',
    },
    redirect: 'manual',
  })
  // a stream would go on for ever
  await response.body?.cancel()
  if (response.status !== 401 && response.status !== 403) return undefined
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  return { ...(scope && { scope }), ...(resourceMetadataUrl && { resourceMetadataUrl }) }
}
