import { randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { type DpopKey, dpopSession } from './dpop-key.ts'

/** The state of the SDK's OAuth flow, in memory. The caller stores what must outlive the flow. */
export interface OAuthState {
  tokens?: StoredOAuthTokens | undefined
  client?: StoredOAuthClientInformation | undefined
  discovery?: OAuthDiscoveryState
  verifier?: string
  /** The key that tokens are bound to, if they are. */
  dpopKey?: DpopKey | undefined
  /** The OAuth `state` parameter, which the redirect must contain. */
  state?: string
}

export interface OAuthProviderOptions {
  readonly oauth: OAuthConfig | undefined
  readonly state: OAuthState
  /** Where the authorization server redirects the browser to. */
  readonly redirectUrl: string
  /** Called with the URL that a person must open. May throw to end the flow with that error. */
  readonly onRedirect: (url: URL) => void
  /** Whether to register a client if the authorization server has none for us. */
  readonly mayRegister: boolean
}

const CLIENT_NAME = 'toolsearch gateway'

/** The SDK's provider for one authorization code flow. */
export function oauthProvider(options: OAuthProviderOptions): OAuthClientProvider {
  const { oauth, state, redirectUrl, mayRegister } = options
  const isConfigured = oauth?.clientId !== undefined
  return {
    redirectUrl,
    ...(oauth?.clientMetadataUrl && { clientMetadataUrl: oauth.clientMetadataUrl }),
    clientMetadata: {
      client_name: CLIENT_NAME,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(oauth?.scope && { scope: oauth.scope }),
    },
    state() {
      state.state = randomBytes(24).toString('base64url')
      return state.state
    },
    clientInformation: () => (isConfigured ? configuredClient(oauth, state) : state.client),
    // without this method, the SDK neither registers nor replaces a client
    ...(mayRegister &&
      !isConfigured && {
        saveClientInformation(client: StoredOAuthClientInformation) {
          state.client = client
        },
      }),
    tokens: () => state.tokens,
    dpop: async () => state.dpopKey && dpopSession(state.dpopKey),
    saveTokens(tokens) {
      // a response without a scope leaves the scope unchanged
      state.tokens = { ...(state.tokens?.scope && { scope: state.tokens.scope }), ...tokens }
    },
    redirectToAuthorization: options.onRedirect,
    saveCodeVerifier(verifier) {
      state.verifier = verifier
    },
    codeVerifier: () => state.verifier ?? '',
    saveDiscoveryState(discovery) {
      state.discovery = discovery
    },
    discoveryState: () => state.discovery,
    invalidateCredentials(what) {
      if (what === 'tokens' || what === 'all') state.tokens = undefined
      if (what === 'client' || what === 'all') state.client = undefined
    },
  }
}

// after the first sign-in, the secret goes only to the authorization server that issued the tokens
function configuredClient(oauth: OAuthConfig, state: OAuthState): StoredOAuthClientInformation {
  const issuer = oauth.issuer ?? state.tokens?.issuer
  return {
    client_id: oauth.clientId!,
    ...(oauth.clientSecret && { client_secret: oauth.clientSecret }),
    ...(issuer && { issuer }),
  }
}
