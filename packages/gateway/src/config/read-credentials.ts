import type { Node } from 'jsonc-parser'
import type { ServerEntry, ServerSettings } from './config-file.ts'
import {
  type ConfigReader,
  nestedPlace,
  type ObjectReader,
  type Place,
  quote,
} from './config-reader.ts'
import type { OAuthConfig } from './gateway-config.ts'
import { TOKEN_EXCHANGE_RULES } from './rules/identity-rules.ts'
import type { CredentialsConfig, TokenExchangeConfig } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

export interface ReadCredentialsOptions {
  /** @example server "a" */
  readonly label: string
  /** The place of `toolsearch.credentials`. */
  readonly place: Place
  readonly hasIdentity: boolean
  readonly oauth: OAuthConfig | undefined
}

const SHARED: CredentialsConfig = { kind: 'shared' }

/** Reads whose credentials a server gets. */
export function readCredentials(
  reader: ConfigReader,
  server: ObjectReader<ServerEntry>,
  settings: ObjectReader<ServerSettings>,
  { label, place, hasIdentity, oauth }: ReadCredentialsOptions,
): CredentialsConfig {
  const node = settings.node('credentials')
  const credentials = node ? readKind(reader, node, place) : SHARED
  if (credentials.kind !== 'person') reportPersonValues(reader, server)
  if (!node || credentials.kind === 'shared') return credentials
  if (!hasIdentity) {
    const message = `${place.label} needs people who sign in to the gateway.`
    reader.report(node, message, 'Add "identity" under "toolsearch" at the top level.')
  }
  if (credentials.kind === 'person' && oauth && oauth.grant !== 'authorization_code') {
    const message = `${label} signs in without a person, so nobody has credentials of their own.`
    reader.report(node, message, `Remove "credentials", or "grant": "${oauth.grant}".`)
  }
  if (credentials.kind === 'exchange') {
    const isIdJag = credentials.exchange.grant === 'id-jag'
    reportOtherCredentials(reader, node, server, label, isIdJag)
    if (isIdJag && (oauth?.clientId === undefined || oauth.issuer === undefined)) {
      const message = `${label} has no OAuth client, which the grant "id-jag" requires.`
      const fix =
        'Add "oauth": { "clientId": "…", "clientSecret": "…", "issuer": "…" } for the authorization server of the server.'
      reader.report(node, message, fix)
    }
  }
  return credentials
}

function readKind(reader: ConfigReader, node: Node, place: Place): CredentialsConfig {
  const fix = 'Write "shared", "person" or { "exchange": { … } }.'
  if (node.type === 'string') {
    if (node.value === 'shared' || node.value === 'person') return { kind: node.value }
    reader.report(node, `${place.label} cannot be ${quote(node.value)}.`, fix)
    return SHARED
  }
  if (node.type !== 'object') {
    reader.report(node, `${place.label} must be a string or an object.`, fix)
    return SHARED
  }
  const { exchange } = Object.fromEntries(
    reader.entries(node, place.label).map((entry) => [entry.key, entry.value]),
  )
  if (!exchange || node.children?.length !== 1) {
    reader.report(node, `${place.label} must have one key, "exchange".`, fix)
    return SHARED
  }
  const found = readExchange(reader, exchange, nestedPlace(place, 'exchange'))
  return found ? { kind: 'exchange', exchange: found } : SHARED
}

function readExchange(
  reader: ConfigReader,
  node: Node,
  place: Place,
): TokenExchangeConfig | undefined {
  const exchange = reader.object(node, place, TOKEN_EXCHANGE_RULES)
  if (node.type !== 'object') return undefined
  for (const key of (['tokenUrl', 'clientId'] as const).filter((key) => !exchange.has(key))) {
    reader.report(node, `${place.label} has no ${key}.`, `Add "${key}": "…".`)
  }
  return withoutMissing<TokenExchangeConfig>({
    tokenUrl: exchange.get('tokenUrl') ?? '',
    clientId: exchange.get('clientId') ?? '',
    clientSecret: exchange.get('clientSecret'),
    audience: exchange.get('audience'),
    resource: exchange.get('resource'),
    scope: exchange.get('scope'),
    grant: exchange.get('grant'),
    subjectToken: exchange.get('subjectToken'),
  })
}

/** An exchanged token is sent as `Authorization`, so nothing else may be. */
function reportOtherCredentials(
  reader: ConfigReader,
  node: Node,
  server: ObjectReader<ServerEntry>,
  label: string,
  usesOAuth: boolean,
): void {
  const headers = server.node('headers')?.children ?? []
  const hasHeader = headers.some((header) =>
    /^authorization$/i.test(String(header.children?.[0]?.value)),
  )
  if (server.has('command')) {
    const message = `${label} has a command, but tokens can only be sent to a url.`
    reader.report(node, message, 'Write "credentials": "person" and ${person:NAME} in "env".')
  } else if ((server.has('oauth') && !usesOAuth) || hasHeader) {
    const other = hasHeader ? 'an "Authorization" header' : 'oauth'
    reader.report(node, `${label} has both a token exchange and ${other}.`, 'Remove one of them.')
  }
}

function reportPersonValues(reader: ConfigReader, server: ObjectReader<ServerEntry>): void {
  for (const key of ['env', 'headers'] as const) {
    for (const property of server.node(key)?.children ?? []) {
      const [name, value] = property.children ?? []
      if (typeof value?.value !== 'string' || !value.value.includes('${person:')) continue
      const message = `${quote(String(name?.value))} in ${server.name(key)} uses \${person:…}, but everybody shares the credentials of this server.`
      reader.report(value, message, 'Add "toolsearch": { "credentials": "person" }.')
    }
  }
}
