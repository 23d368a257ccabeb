import { createPrivateKey } from 'node:crypto'
import type { Node } from 'jsonc-parser'
import { OAUTH_KEYS } from './config-keys.ts'
import type { ConfigReader } from './config-reader.ts'
import type { OAuthConfig } from './gateway-config.ts'

const GRANTS = ['authorization_code', 'client_credentials'] as const

/** Reads `oauth` of a server. Undefined if there is none. */
export function readOAuth(
  reader: ConfigReader,
  node: Node | undefined,
  label: string,
): OAuthConfig | undefined {
  if (!node) return undefined
  const fields = reader.fields(node, label, OAUTH_KEYS)
  const grant = reader.choice(fields.get('grant'), `grant in ${label}`, GRANTS)
  const callbackPort = reader.whole(
    fields.get('callbackPort'),
    `callbackPort in ${label}`,
    1,
    65_535,
  )
  const clientId = filled('clientId')
  const clientSecret = filled('clientSecret')
  const privateKey = filled('privateKey')
  const clientMetadataUrl = address('clientMetadataUrl', /^https:\/\/[^/]+\/./i, 'https://…/….json')
  const scope = filled('scope')
  const issuer = address('issuer', /^https?:\/\//i, 'https://…')

  if (fields.has('clientId') && fields.has('clientMetadataUrl')) {
    const message = `${label} has clientId and clientMetadataUrl.`
    reader.report(fields.get('clientMetadataUrl')!, message, 'Keep one of them.')
  }
  if (fields.has('clientSecret') && !fields.has('clientId')) {
    const fix = 'Write "clientId" beside it.'
    reader.report(fields.get('clientSecret')!, `${label} has a clientSecret, but no clientId.`, fix)
  }
  if (privateKey !== undefined && !isPrivateKey(privateKey)) {
    const fix = 'Write ${NAME} and put the text of a PEM file (PKCS #8) into that variable.'
    reader.report(fields.get('privateKey')!, `privateKey in ${label} is not a private key.`, fix)
  }
  if (fields.has('privateKey') && (grant !== 'client_credentials' || fields.has('clientSecret'))) {
    const message = `privateKey in ${label} is for client_credentials, in place of a clientSecret.`
    reader.report(fields.get('privateKey')!, message, 'Take it away, or the clientSecret.')
  }
  if (grant === 'client_credentials') {
    // nobody looks on where the secret goes, so it has to be written down
    const missing = [
      ...(fields.has('clientId') ? [] : ['clientId']),
      ...(fields.has('clientSecret') || fields.has('privateKey') ? [] : ['clientSecret']),
      ...(fields.has('issuer') ? [] : ['issuer']),
    ]
    for (const key of missing) {
      const fix = `Write "${key}": ${key === 'issuer' ? '"https://…", who may get the secret' : '"…"'}.`
      reader.report(fields.get('grant')!, `${label} has no ${key} for client_credentials.`, fix)
    }
  }
  return {
    grant: grant ?? 'authorization_code',
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(issuer !== undefined && { issuer }),
    ...(callbackPort !== undefined && { callbackPort }),
  }

  function filled(key: string): string | undefined {
    const text = reader.expanded(fields.get(key), `${key} in ${label}`)
    if (text !== '') return text
    reader.report(fields.get(key)!, `${key} in ${label} is empty.`, 'Take it away.')
    return undefined
  }

  function address(key: string, form: RegExp, example: string): string | undefined {
    const text = reader.expanded(fields.get(key), `${key} in ${label}`)
    if (text === undefined || (form.test(text) && URL.canParse(text))) return text
    reader.report(fields.get(key)!, `${key} in ${label} is not an address.`, `Write ${example}.`)
    return undefined
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
