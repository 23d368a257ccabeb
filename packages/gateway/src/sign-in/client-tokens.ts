import { createPrivateKey } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { oauthFetch } from './oauth-fetch.ts'
import type { RemoteServer } from './remote-server.ts'
import { renewalFailure } from './renewal-failure.ts'
import type { Challenge, TokenSource } from './token-source.ts'

/** Tokens that the gateway gets by itself, with its own id and secret. They are not kept. */
export function createClientTokens(server: RemoteServer, oauth: OAuthConfig): TokenSource {
  let provider: OAuthClientProvider | undefined
  const queue = createSerialQueue()

  const tokens = async () => provider?.tokens()
  const token = async () => (await tokens())?.access_token

  async function ask(challenge: Challenge): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    provider ??= await createProvider(oauth)
    try {
      const fetchFn = oauthFetch(server)
      await auth(provider, { serverUrl: server.url, ...challenge, fetchFn })
    } catch (error) {
      throw renewalFailure(
        error,
        (why) =>
          `The client of ${server.name} is refused (${why}). See its "oauth" in the configuration.`,
      )
    }
  }

  return {
    token,
    renew(refused, challenge) {
      return queue.run(async () => {
        const scope = oauth.scope ?? challenge.scope
        if ((await token()) === refused) await ask({ ...challenge, ...(scope && { scope }) })
      })
    },
    widen(refused, challenge) {
      return queue.run(async () => {
        if ((await token()) !== refused) return true
        const { computeScopeUnion, isStrictScopeSuperset } = await import(
          '@modelcontextprotocol/client'
        )
        const had = computeScopeUnion(oauth.scope, (await tokens())?.scope)
        const scope = computeScopeUnion(had, challenge.scope)
        if (!scope || !isStrictScopeSuperset(scope, had)) return false
        await ask({ ...challenge, scope })
        return true
      })
    },
    refresh: async () => false,
  }
}

async function createProvider(oauth: OAuthConfig): Promise<OAuthClientProvider> {
  const sdk = await import('@modelcontextprotocol/client')
  const { clientId = '', clientSecret = '', privateKey, issuer = '', scope } = oauth
  const common = {
    clientId,
    clientName: 'toolsearch gateway',
    expectedIssuer: issuer,
    ...(scope && { scope }),
  }
  if (privateKey === undefined)
    return new sdk.ClientCredentialsProvider({ ...common, clientSecret })
  const algorithm = signatureOf(privateKey)
  return new sdk.PrivateKeyJwtProvider({ ...common, privateKey, algorithm })
}

/** How a key signs, which its kind leaves little choice about. */
function signatureOf(pem: string): string {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (asymmetricKeyType !== 'ec') return 'RS256'
  return asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'ES384' : 'ES256'
}
