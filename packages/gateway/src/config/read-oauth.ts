import { createPrivateKey } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import type { OAuthEntry } from './config-file.ts'
import type { ConfigReader, ObjectReader, Place } from './config-reader.ts'
import type { OAuthConfig } from './gateway-config.ts'
import { OAUTH_RULES } from './rules/oauth-rules.ts'
import { withoutMissing } from './without-missing.ts'

/** How a client can authenticate without a person: exactly one of them. */
const CREDENTIALS = ['clientSecret', 'privateKey', 'assertionFile', 'assertion'] as const
const ASSERTIONS = ['assertionFile', 'assertion'] as const

/**
 * Reads the `oauth` settings of a server. Undefined if it has none.
 *
 * @param file the configuration file, whose folder `assertionFile` is relative to
 */
export function readOAuth(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
  file: string,
): OAuthConfig | undefined {
  if (!node) return undefined
  const oauth = reader.object(node, place, OAUTH_RULES)
  const grant = oauth.get('grant') ?? 'authorization_code'
  const privateKey = oauth.get('privateKey')
  const assertionFile = oauth.get('assertionFile')

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
  if (grant === 'authorization_code') {
    for (const key of CREDENTIALS.slice(1).filter((key) => oauth.has(key))) {
      const message = `${oauth.name(key)} is for sign-ins without a person.`
      const fix = 'Remove it, or write "grant": "client_credentials" or "grant": "jwt-bearer".'
      reader.report(oauth.node(key)!, message, fix)
    }
  } else reportCredentials(reader, oauth, grant, place)
  return withoutMissing<OAuthConfig>({
    grant,
    clientId: oauth.get('clientId'),
    clientSecret: oauth.get('clientSecret'),
    privateKey,
    assertionFile: assertionFile && resolve(dirname(file), assertionFile),
    assertion: oauth.get('assertion'),
    clientMetadataUrl: oauth.get('clientMetadataUrl'),
    scope: oauth.get('scope'),
    issuer: oauth.get('issuer'),
    dpop: oauth.get('dpop'),
    callbackPort: oauth.get('callbackPort'),
  })
}

/** Reports what is missing or contradictory in a sign-in without a person. */
function reportCredentials(
  reader: ConfigReader,
  oauth: ObjectReader<OAuthEntry>,
  grant: 'client_credentials' | 'jwt-bearer',
  place: Place,
): void {
  // the assertion of `jwt-bearer` is the grant, so a client may still have a secret
  const credentials = grant === 'jwt-bearer' ? ASSERTIONS : CREDENTIALS
  const usual = grant === 'jwt-bearer' ? 'assertionFile' : 'clientSecret'
  // no person checks where the secret is sent, so the configuration must name the issuer
  const missing = [
    ...(oauth.has('clientId') || grant === 'jwt-bearer' ? [] : ['clientId']),
    ...(credentials.some((key) => oauth.has(key)) ? [] : [usual]),
    ...(oauth.has('issuer') ? [] : ['issuer']),
  ]
  for (const key of missing) {
    const fix =
      key === 'issuer'
        ? 'Add "issuer": "https://…", the authorization server that may receive the secret.'
        : `Add "${key}": "…".`
    const message = `${place.label} has no ${key}, which ${grant} requires.`
    reader.report(oauth.node('grant')!, message, fix)
  }
  for (const key of credentials.filter((key) => oauth.has(key)).slice(1)) {
    const message = `${place.label} has more than one of ${credentials.join(', ')}.`
    reader.report(oauth.node(key)!, message, 'Remove all but one of them.')
  }
  if (grant === 'jwt-bearer' && oauth.has('privateKey')) {
    const message = `${oauth.name('privateKey')} is for client_credentials.`
    reader.report(oauth.node('privateKey')!, message, 'Remove it.')
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
