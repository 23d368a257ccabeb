import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Browser } from '../../../../testing/services/browser.ts'

/** Where browsers end after a sign-in. Nobody listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback'

export interface ClientAuth {
  readonly provider: OAuthClientProvider
  /** What the client remembers. */
  readonly saved: Record<string, unknown>
  /** Where the browser ended, once for each sign-in. */
  readonly visited: readonly URL[]
}

/** What an MCP client remembers, and the browser of the person who uses it. */
export function clientAuth(browser: Browser, login: string): ClientAuth {
  const saved: Record<string, unknown> = {}
  const visited: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      redirect_uris: [CALLBACK],
      client_name: 'test',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => saved.client as never,
    saveClientInformation(client) {
      saved.client = client
    },
    tokens: () => saved.tokens as never,
    saveTokens(tokens) {
      saved.tokens = tokens
    },
    saveCodeVerifier(verifier) {
      saved.verifier = verifier
    },
    codeVerifier: () => String(saved.verifier),
    saveDiscoveryState(found) {
      saved.discovery = found
    },
    discoveryState: () => saved.discovery as never,
    async redirectToAuthorization(url) {
      const { url: end } = await browser.visit(url, { login, until: CALLBACK })
      visited.push(end)
    },
  }
  return { provider, saved, visited }
}
