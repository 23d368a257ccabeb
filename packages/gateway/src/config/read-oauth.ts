import { createPrivateKey } from 'node:crypto'
import type { Node } from 'jsonc-parser'
import type { ConfigReader, Place } from './config-reader.ts'
import type { OAuthConfig } from './gateway-config.ts'
import { OAUTH_RULES } from './rules/oauth-rules.ts'

/** Reads the `oauth` settings of a server. Undefined if it has none. */
export function readOAuth(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): OAuthConfig | undefined {
  if (!node) return undefined
  const oauth = reader.object(node, place, OAUTH_RULES)
  const grant = oauth.get('grant') ?? 'authorization_code'
  const callbackPort = oauth.get('callbackPort')
  const clientId = oauth.get('clientId')
  const clientSecret = oauth.get('clientSecret')
  const privateKey = oauth.get('privateKey')
  const clientMetadataUrl = oauth.get('clientMetadataUrl')
  const scope = oauth.get('scope')
  const issuer = oauth.get('issuer')

  if (oauth.has('clientId') && oauth.has('clientMetadataUrl')) {
    const message = `${place.label} has both clientId and clientMetadataUrl.`
    reader.report(oauth.node('clientMetadataUrl')!, message, 'Remove one of them.')
  }
  if (oauth.has('clientSecret') && !oauth.has('clientId')) {
    const message = `${place.label} has a clientSecret but no clientId.`
    reader.report(oauth.node('clientSecret')!, message, 'Add "clientId".')
  }
  if (privateKey !== undefined && !isPrivateKey(privateKey)) {
    const fix =
      'Write ${NAME} and set that environment variable to the text of a PEM file (PKCS #8).'
    const message = `${oauth.name('privateKey')} is not a private key.`
    reader.report(oauth.node('privateKey')!, message, fix)
  }
  if (oauth.has('privateKey') && (grant !== 'client_credentials' || oauth.has('clientSecret'))) {
    const message = `${oauth.name('privateKey')} replaces the clientSecret of a client_credentials grant.`
    const fix =
      grant === 'client_credentials'
        ? 'Remove it, or remove "clientSecret".'
        : 'Remove it, or write "grant": "client_credentials".'
    reader.report(oauth.node('privateKey')!, message, fix)
  }
  if (grant === 'client_credentials') {
    // no person checks where the secret is sent, so the configuration must name the issuer
    const missing = [
      ...(oauth.has('clientId') ? [] : ['clientId']),
      ...(oauth.has('clientSecret') || oauth.has('privateKey') ? [] : ['clientSecret']),
      ...(oauth.has('issuer') ? [] : ['issuer']),
    ]
    for (const key of missing) {
      const fix =
        key === 'issuer'
          ? 'Add "issuer": "https://…", the authorization server that may receive the secret.'
          : `Add "${key}": "…".`
      const message = `${place.label} has no ${key}, which client_credentials requires.`
      reader.report(oauth.node('grant')!, message, fix)
    }
  }
  return {
    grant,
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(issuer !== undefined && { issuer }),
    ...(callbackPort !== undefined && { callbackPort }),
  }
}

function isPrivateKey(text: string): boolean {
  try {
    createPrivateKey(text)
    return text.includes('BEGIN PRIVATE KEY')
  } catch {
    return false
  }
}
