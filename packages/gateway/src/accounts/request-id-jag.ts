import type { TokenExchangeConfig } from '../config/team-config.ts'
import { oauthFetch } from '../sign-in/oauth-fetch.ts'
import type { RemoteServer } from '../sign-in/remote-server.ts'
import { withoutRepeatedGrant } from '../sign-in/workload-provider.ts'
import { type ExchangeOutcome, exchangeFailure, requestExchange } from './request-exchange.ts'

/**
 * Gets a token through enterprise-managed authorization. Never rejects.
 *
 * The identity provider issues an identity assertion (ID-JAG) for the authorization server of the MCP
 * server, which returns an access token for it (RFC 7523). The SDK discovers that authorization server;
 * the configured issuer is the only one that receives the assertion.
 */
export async function requestIdJag(
  server: RemoteServer,
  exchange: TokenExchangeConfig,
  subjectToken: string,
): Promise<ExchangeOutcome> {
  const sdk = await import('@modelcontextprotocol/client')
  const { clientId = '', clientSecret, issuer = '', scope } = server.oauth ?? {}
  const fetchFn = withoutRepeatedGrant(oauthFetch(server))
  let refusal: ExchangeOutcome | undefined
  const provider = new sdk.CrossAppAccessProvider({
    clientId,
    // without a secret, the client is public
    clientSecret: clientSecret as string,
    clientName: 'toolsearch gateway',
    expectedIssuer: issuer,
    fetchFn,
    async assertion({ authorizationServerUrl, resourceUrl, scope: wanted }) {
      const outcome = await requestExchange(
        {
          ...exchange,
          audience: exchange.audience ?? authorizationServerUrl,
          resource: exchange.resource ?? resourceUrl,
          ...(wanted && { scope: wanted }),
        },
        subjectToken,
      )
      if ('token' in outcome) return outcome.token
      refusal = outcome
      throw new Error('the identity provider issued no assertion')
    },
  })
  const wanted = exchange.scope ?? scope
  try {
    await sdk.auth(provider, { serverUrl: server.url, ...(wanted && { scope: wanted }), fetchFn })
  } catch (error) {
    return refusal ?? exchangeFailure(error, [clientSecret ?? ''])
  }
  const { access_token, token_type, expires_in } = provider.tokens()!
  if (token_type.toLowerCase() !== 'bearer') {
    return exchangeFailure({ name: 'OAuthError', code: `unexpected token type "${token_type}"` })
  }
  return {
    token: access_token,
    ...(expires_in !== undefined && { expiresInSeconds: expires_in }),
  }
}
