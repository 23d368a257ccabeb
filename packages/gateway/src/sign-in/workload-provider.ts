import { readFile } from 'node:fs/promises'
import type {
  FetchLike,
  OAuthClientProvider,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { SignInNeededError } from './sign-in-error.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * The SDK's provider for a gateway whose platform issues tokens to it (workload identity federation). The
 * JWT is either the grant (`jwt-bearer`) or authenticates the client (`client_credentials`).
 */
export function workloadProvider(oauth: OAuthConfig): OAuthClientProvider {
  const { clientId = '', clientSecret, issuer = '', scope, grant } = oauth
  let tokens: StoredOAuthTokens | undefined
  const isGrant = grant === 'jwt-bearer'
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: 'toolsearch gateway',
      redirect_uris: [],
      grant_types: [isGrant ? JWT_BEARER : 'client_credentials'],
      ...(scope && { scope }),
    },
    clientInformation: () => ({
      client_id: clientId,
      ...(clientSecret && { client_secret: clientSecret }),
      issuer,
    }),
    async prepareTokenRequest(wanted) {
      const params = new URLSearchParams({
        grant_type: isGrant ? JWT_BEARER : 'client_credentials',
      })
      if (isGrant) params.set('assertion', await readAssertion(oauth))
      if (wanted) params.set('scope', wanted)
      return params
    },
    // without a client ID, the assertion alone says who the gateway is
    ...((!isGrant || clientId === '') && {
      async addClientAuthentication(_headers: Headers, params: URLSearchParams) {
        if (isGrant) return
        params.set('client_id', clientId)
        params.set('client_assertion_type', CLIENT_ASSERTION)
        params.set('client_assertion', await readAssertion(oauth))
      },
    }),
    tokens: () => tokens,
    saveTokens(next) {
      tokens = next
    },
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => '',
  }
}

/** The current token of the platform. @throws SignInNeededError if the file cannot be read */
async function readAssertion({ assertion, assertionFile = '' }: OAuthConfig): Promise<string> {
  if (assertion !== undefined) return assertion
  try {
    return (await readFile(assertionFile, 'utf8')).trim()
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw new SignInNeededError(
      `The token of the platform cannot be read from ${assertionFile} (${code}). Check that the file is mounted and that the gateway may read it.`,
    )
  }
}

/**
 * A `fetch` that does not repeat a rejected token request: the SDK tries again after some errors, but the
 * same assertion would be rejected again.
 */
export function withoutRepeatedGrant(fetchFn: FetchLike): FetchLike {
  let rejection: Response | undefined
  return async (url, init) => {
    const isGrant = init?.method === 'POST' && init.body instanceof URLSearchParams
    if (!isGrant) return fetchFn(url, init)
    if (rejection) return rejection.clone()
    const response = await fetchFn(url, init)
    const needsNonce = response.headers.has('dpop-nonce')
    if (response.status >= 400 && response.status < 500 && !needsNonce) rejection = response.clone()
    return response
  }
}
