import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OAuthConfig, ServerConfig } from '../../packages/gateway/src/config/gateway-config.ts'
import { remoteServer } from '../../packages/gateway/src/sign-in/remote-server.ts'
import { signIn } from '../../packages/gateway/src/sign-in/sign-in.ts'
import { createSignInStore } from '../../packages/gateway/src/sign-in/sign-in-store.ts'
import { createSignIns, type SignIns } from '../../packages/gateway/src/sign-in/sign-ins.ts'

/** What the suite tells of a client that is known beforehand. */
interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly issuer?: string
}

/** A person at hand who signs in whenever the gateway says that somebody has to. */
export interface PersonAtHand {
  readonly authFor: SignIns['authFor']
  /** Does something, and again after a sign-in if that is what it wants. Nobody signs in for ever. */
  help<Result>(server: ServerConfig, act: () => Promise<Result>): Promise<Result>
  leave(): Promise<void>
}

const MOST_SIGN_INS = 3

export async function personAtHand(): Promise<PersonAtHand> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-conformance-'))
  const store = createSignInStore(folder)
  let left = MOST_SIGN_INS

  async function help<Result>(server: ServerConfig, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      const remote = remoteServer(server)
      const isAsked = (error as { code?: unknown }).code === 'needs-sign-in'
      if (!isAsked || !remote || remote.oauth?.grant === 'client_credentials' || left === 0) {
        throw error
      }
      left -= 1
      await signIn(remote, {
        store,
        signal: AbortSignal.timeout(20_000),
        // the page sends back whoever opens it
        onUrl: (url) => void fetch(url).catch(() => {}),
      })
      return help(server, act)
    }
  }

  return {
    authFor: createSignIns(store).authFor,
    help,
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What would stand under `oauth` for a scenario. */
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

/** What a person would write down: who signs in for a server. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url)
  const described = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)
  return ((await described.json()) as { authorization_servers: [string] }).authorization_servers[0]
}
