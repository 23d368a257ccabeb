import { randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { OAuthConfig } from '../config/gateway-config.ts'

/** What the SDK's flow reads and writes, in memory. Who runs the flow keeps what is to be kept. */
export interface OAuthState {
  tokens?: StoredOAuthTokens | undefined
  client?: StoredOAuthClientInformation | undefined
  discovery?: OAuthDiscoveryState
  verifier?: string
  /** Sent along to the browser and back. */
  state?: string
}

export interface OAuthProviderOptions {
  readonly oauth: OAuthConfig | undefined
  readonly state: OAuthState
  /** Where the browser comes back to. */
  readonly redirectUrl: string
  /** A person has to open this. May throw: the flow then ends with that error. */
  readonly onRedirect: (url: URL) => void
  /** Whether to register with an authorization server that does not know us. */
  readonly mayRegister: boolean
}

const CLIENT_NAME = 'toolsearch gateway'

/** The SDK's view of one sign-in by authorization code. */
export function oauthProvider(options: OAuthProviderOptions): OAuthClientProvider {
  const { oauth, state, redirectUrl, mayRegister } = options
  const configured = oauth?.clientId !== undefined
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
    clientInformation: () => (configured ? configuredClient(oauth, state) : state.client),
    // without it the SDK neither registers nor replaces a client
    ...(mayRegister &&
      !configured && {
        saveClientInformation(client: StoredOAuthClientInformation) {
          state.client = client
        },
      }),
    tokens: () => state.tokens,
    saveTokens(tokens) {
      // an answer that does not tell the scope leaves it as it was
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

// once tokens came from an authorization server, the secret goes to no other
function configuredClient(oauth: OAuthConfig, state: OAuthState): StoredOAuthClientInformation {
  const issuer = oauth.issuer ?? state.tokens?.issuer
  return {
    client_id: oauth.clientId!,
    ...(oauth.clientSecret && { client_secret: oauth.clientSecret }),
    ...(issuer && { issuer }),
  }
}
