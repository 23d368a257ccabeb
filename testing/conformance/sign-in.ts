import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createExchangedTokens } from '../../packages/gateway/src/accounts/exchanged-tokens.ts'
import type { OAuthConfig, ServerConfig } from '../../packages/gateway/src/config/gateway-config.ts'
import type { CredentialsConfig } from '../../packages/gateway/src/config/team-config.ts'
import { remoteServer } from '../../packages/gateway/src/sign-in/remote-server.ts'
import {
  createServerAuth,
  type ServerAuth,
} from '../../packages/gateway/src/sign-in/server-auth.ts'
import { signIn } from '../../packages/gateway/src/sign-in/sign-in.ts'
import { createSignInStore } from '../../packages/gateway/src/sign-in/sign-in-store.ts'
import { createSignIns, type SignIns } from '../../packages/gateway/src/sign-in/sign-ins.ts'

/** The suite's data about a pre-registered client. */
interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly issuer?: string
  /** The token that the platform issued to the workload. */
  readonly valid_jwt?: string
  /** The identity provider that people sign in to, and the ID token of a person. */
  readonly idp_client_id?: string
  readonly idp_token_endpoint?: string
  readonly idp_id_token?: string
}

/** A simulated user who signs in when the gateway asks for it. */
export interface User {
  readonly authFor: SignIns['authFor']
  /** Runs `act`, and again after a sign-in if it fails with `needs-sign-in`. Gives up after a few attempts. */
  withSignIn<Result>(server: ServerConfig, act: () => Promise<Result>): Promise<Result>
  /** Deletes the stored tokens. */
  close(): Promise<void>
}

const MAX_SIGN_INS = 3

export async function createUser(): Promise<User> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-conformance-'))
  const store = createSignInStore(folder)
  let left = MAX_SIGN_INS

  async function withSignIn<Result>(
    server: ServerConfig,
    act: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      const remote = remoteServer(server)
      const needsSignIn = (error as { code?: unknown }).code === 'needs-sign-in'
      if (!needsSignIn || !remote || remote.oauth?.grant === 'client_credentials' || left === 0) {
        throw error
      }
      left -= 1
      await signIn(remote, {
        store,
        signal: AbortSignal.timeout(60_000),
        // The suite's authorization page redirects back at once.
        onUrl: (url) => void fetch(url).catch(() => {}),
      })
      return withSignIn(server, act)
    }
  }

  return {
    authFor: (server) => exchangeFor(server) ?? createSignIns(store).authFor(server),
    withSignIn,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Tokens of a person who has signed in to the identity provider. */
function exchangeFor({ credentials, ...server }: ServerConfig): ServerAuth | undefined {
  if (credentials.kind !== 'exchange') return undefined
  const { exchange } = credentials
  const remote = remoteServer({ credentials, ...server })!
  const subjectToken = () => 'access token'
  const idTokenOf = async () => readContext().idp_id_token
  const onProblem = console.error
  return createServerAuth(
    createExchangedTokens({ server: remote, exchange, subjectToken, idTokenOf, onProblem }),
  )
}

/** Whose credentials the server of a scenario gets. */
export function credentialsFor(scenario: string): CredentialsConfig {
  if (scenario !== 'auth/enterprise-managed-authorization') return { kind: 'shared' }
  const { idp_token_endpoint: tokenUrl = '', idp_client_id: clientId = '' } = readContext()
  const exchange = { tokenUrl, clientId, grant: 'id-jag', subjectToken: 'id-token' } as const
  return { kind: 'exchange', exchange }
}

function readContext(): Context {
  return JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
}

/** The `oauth` configuration for a scenario. */
export async function oauthFor(scenario: string, url: string): Promise<OAuthConfig | undefined> {
  if (!scenario.startsWith('auth/')) return undefined
  const context = readContext()
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context
  if (scenario.startsWith('auth/client-credentials')) {
    return {
      grant: 'client_credentials',
      issuer: await issuerOf(url),
      ...(clientId && { clientId }),
      ...(clientSecret && { clientSecret }),
      ...(privateKey && { privateKey }),
    }
  }
  if (context.valid_jwt !== undefined) {
    const assertion = context.valid_jwt
    return {
      grant: 'jwt-bearer',
      issuer: await issuerOf(url),
      assertion,
      ...(clientId && { clientId }),
    }
  }
  if (scenario === 'auth/enterprise-managed-authorization') {
    return {
      grant: 'authorization_code',
      issuer: await issuerOf(url),
      ...(clientId && { clientId }),
      ...(clientSecret && { clientSecret }),
    }
  }
  if (clientId === undefined || clientSecret === undefined) {
    return {
      grant: 'authorization_code',
      clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    }
  }
  const { issuer } = context
  return { grant: 'authorization_code', clientId, clientSecret, ...(issuer && { issuer }) }
}

/** The authorization server, which a user would write into the configuration. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url)
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)
  return ((await metadata.json()) as { authorization_servers: [string] }).authorization_servers[0]
}
