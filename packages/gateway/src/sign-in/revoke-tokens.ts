import { oauthFetch } from './oauth-fetch.ts'
import type { RemoteServer } from './remote-server.ts'
import type { StoredSignIn } from './sign-in-store.ts'

/**
 * Asks the authorization server to revoke the tokens of a sign-in that ends (RFC 7009), so that a copy of
 * them is of no use to anybody. Not every authorization server can do that, and a sign-out must not
 * depend on it.
 *
 * @returns whether the tokens were revoked. Never rejects.
 */
export async function revokeTokens(
  server: RemoteServer,
  { tokens, client }: StoredSignIn,
): Promise<boolean> {
  const token = tokens?.refresh_token ?? tokens?.access_token
  const clientId = server.oauth?.clientId ?? client?.client_id
  if (token === undefined || clientId === undefined) return false
  try {
    const sdk = await import('@modelcontextprotocol/client')
    const oauth = await import('oauth4webapi')
    const send = oauthFetch(server)
    const { authorizationServerMetadata: metadata } = await sdk.discoverOAuthServerInfo(
      server.url,
      { fetchFn: send },
    )
    // The server may name a different authorization server now, which must not get the tokens.
    const isIssuer = tokens?.issuer === undefined || tokens.issuer === metadata?.issuer
    if (!metadata || !isIssuer) return false
    const secret = server.oauth?.clientSecret ?? client?.client_secret
    const response = await oauth.revocationRequest(
      metadata as Parameters<typeof oauth.revocationRequest>[0],
      { client_id: clientId },
      secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret),
      token,
      {
        [oauth.customFetch]: (url, { body, ...init }) => send(url, { ...init, body: body ?? null }),
        // a server on this machine
        [oauth.allowInsecureRequests]: metadata.issuer.startsWith('http:'),
      },
    )
    await oauth.processRevocationResponse(response)
    return true
  } catch {
    return false
  }
}
