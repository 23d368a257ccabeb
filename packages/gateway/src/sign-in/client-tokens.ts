import { createPrivateKey } from 'node:crypto'
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import {
  checkBinding,
  createDpopKey,
  createDpopSessions,
  type DpopKey,
  isBound,
  usesDpop,
} from './dpop-key.ts'
import { oauthFetch } from './oauth-fetch.ts'
import type { RemoteServer } from './remote-server.ts'
import { renewalFailure } from './sign-in-error.ts'
import type { Challenge, TokenSource } from './token-source.ts'
import { withoutRepeatedGrant, workloadProvider } from './workload-provider.ts'

/** Tokens that the gateway gets without a person, kept in memory only, like the key they are bound to. */
export function createClientTokens(server: RemoteServer, oauth: OAuthConfig): TokenSource {
  let provider: OAuthClientProvider | undefined
  let key: Promise<DpopKey> | undefined
  const sessions = createDpopSessions()
  const queue = createSerialQueue()

  const tokens = async () => provider?.tokens()
  const token = async () => (await tokens())?.access_token

  async function requestToken(challenge: Challenge): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const current = provider ?? (await createProvider(oauth))
    let discovery: OAuthDiscoveryState | undefined
    current.saveDiscoveryState = (found) => {
      discovery = found
    }
    current.dpop = async () => {
      if (!usesDpop(oauth, challenge, discovery)) return undefined
      key ??= createDpopKey()
      return sessions(await key)
    }
    try {
      const fetchFn = withoutRepeatedGrant(oauthFetch(server))
      await auth(current, { serverUrl: server.url, ...challenge, fetchFn })
      provider = undefined
      checkBinding(server, (await current.tokens())!)
      provider = current
    } catch (error) {
      throw renewalFailure(
        error,
        (why) =>
          `The authorization server rejected the client of ${server.name} (${why}). Check its "oauth" settings in the configuration.`,
      )
    }
  }

  return {
    token,
    async dpop() {
      const current = await tokens()
      return key && isBound(current) ? sessions(await key) : undefined
    },
    renew(rejected, challenge) {
      return queue.run(async () => {
        const scope = oauth.scope ?? challenge.scope
        if ((await token()) === rejected)
          await requestToken({ ...challenge, ...(scope && { scope }) })
      })
    },
    extendScope(rejected, challenge) {
      return queue.run(async () => {
        if ((await token()) !== rejected) return true
        const { computeScopeUnion, isStrictScopeSuperset } = await import(
          '@modelcontextprotocol/client'
        )
        const current = computeScopeUnion(oauth.scope, (await tokens())?.scope)
        const scope = computeScopeUnion(current, challenge.scope)
        if (!scope || !isStrictScopeSuperset(scope, current)) return false
        await requestToken({ ...challenge, scope })
        return true
      })
    },
    reload: async () => false,
  }
}

async function createProvider(oauth: OAuthConfig): Promise<OAuthClientProvider> {
  const sdk = await import('@modelcontextprotocol/client')
  if (oauth.assertion !== undefined || oauth.assertionFile !== undefined) {
    return workloadProvider(oauth)
  }
  const { clientId = '', clientSecret = '', privateKey, issuer = '', scope } = oauth
  const common = {
    clientId,
    clientName: 'toolsearch gateway',
    expectedIssuer: issuer,
    ...(scope && { scope }),
  }
  if (privateKey === undefined)
    return new sdk.ClientCredentialsProvider({ ...common, clientSecret })
  const algorithm = algorithmFor(privateKey)
  return new sdk.PrivateKeyJwtProvider({ ...common, privateKey, algorithm })
}

/** The signature algorithm for a key. */
function algorithmFor(pem: string): string {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (asymmetricKeyType !== 'ec') return 'RS256'
  return asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'ES384' : 'ES256'
}
