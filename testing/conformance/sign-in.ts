import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OAuthConfig, ServerConfig } from '../../packages/gateway/src/config/gateway-config.ts'
import { remoteServer } from '../../packages/gateway/src/sign-in/remote-server.ts'
import { signIn } from '../../packages/gateway/src/sign-in/sign-in.ts'
import { createSignInStore } from '../../packages/gateway/src/sign-in/sign-in-store.ts'
import { createSignIns, type SignIns } from '../../packages/gateway/src/sign-in/sign-ins.ts'

/** The suite's data about a pre-registered client. */
interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly issuer?: string
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
    authFor: createSignIns(store).authFor,
    withSignIn,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The `oauth` configuration for a scenario. */
export async function oauthFor(scenario: string, url: string): Promise<OAuthConfig | undefined> {
  if (!scenario.startsWith('auth/')) return undefined
  const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
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
