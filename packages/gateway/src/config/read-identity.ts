import type { Node } from 'jsonc-parser'
import { type ConfigReader, nestedPlace, type Place, quote } from './config-reader.ts'
import { itemPlace } from './item-place.ts'
import { readAdministrators } from './read-administrators.ts'
import {
  DEFAULT_ALGORITHMS,
  DEFAULT_GROUPS_CLAIM,
  IDENTITY_RULES,
  ISSUER_PAGE_RULES,
  ISSUER_PROXY_RULES,
  ISSUER_RULES,
} from './rules/identity-rules.ts'
import type {
  IdentityConfig,
  IssuerConfig,
  IssuerPageConfig,
  IssuerProxyConfig,
} from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

/** Reads how people sign in. Undefined if they don't. */
export function readIdentity(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): IdentityConfig | undefined {
  if (!node) return undefined
  const identity = reader.object(node, place, IDENTITY_RULES)
  if (node.type !== 'object') return undefined
  const { apiKeys: acceptsKeys, clockSkewSeconds } = IDENTITY_RULES.properties
  const apiKeys = identity.get('apiKeys') ?? acceptsKeys.default!
  const issuersLabel = identity.name('issuers')
  const issuers = reader
    .items(identity.node('issuers'), issuersLabel)
    .map((item, index) => readIssuer(reader, item, itemPlace(issuersLabel, index)))
  reportDuplicates(reader, issuers)
  if (issuers.length === 0 && !apiKeys) {
    const fix = 'Add "issuers": [{ "issuer": "https://…" }], or remove "apiKeys": false.'
    reader.report(node, `Nobody can sign in with ${place.label}.`, fix)
  }
  return {
    url: readAddress(reader, node, identity.get('url'), identity.node('url'), place),
    issuers: issuers.map(({ issuer }) => issuer),
    administrators: readAdministrators(
      reader,
      identity.node('administrators'),
      identity.get('administrators') ?? [],
      issuers.map(({ issuer }) => issuer.issuer),
    ),
    clockSkewSeconds: identity.get('clockSkewSeconds') ?? clockSkewSeconds.default!,
    apiKeys,
  }
}

/** The address without the slash at its end, which audiences don't have. */
function readAddress(
  reader: ConfigReader,
  identity: Node,
  url: string | undefined,
  node: Node | undefined,
  place: Place,
): string {
  if (!node) {
    const fix = 'Add "url": "https://…", the public address of the gateway.'
    reader.report(identity, `${place.label} has no url.`, fix)
  }
  if (url === undefined) return ''
  const { origin, pathname, search, hash, username, password } = new URL(url)
  if (`${username}${password}${search}${hash}` === '' && pathname === '/') return origin
  const message = `${place.name('url')} has more than a scheme, a host and a port.`
  reader.report(node!, message, `Write ${quote(origin)}.`)
  return origin
}

function readIssuer(
  reader: ConfigReader,
  node: Node,
  place: Place,
): { readonly node: Node; readonly issuer: IssuerConfig } {
  const issuer = reader.object(node, place, ISSUER_RULES)
  if (node.type === 'object' && !issuer.has('issuer')) {
    reader.report(node, `${place.label} has no issuer.`, 'Add "issuer": "https://…".')
  }
  const config = withoutMissing<IssuerConfig>({
    issuer: issuer.get('issuer') ?? '',
    audience: issuer.get('audience'),
    jwksUrl: issuer.get('jwksUrl'),
    algorithms: issuer.get('algorithms') ?? DEFAULT_ALGORITHMS,
    groupsClaim: issuer.get('groupsClaim') ?? DEFAULT_GROUPS_CLAIM,
    requiredScopes: issuer.get('requiredScopes') ?? [],
    proxy: readProxy(reader, issuer.node('proxy'), nestedPlace(place, 'proxy')),
    page: readPage(reader, issuer.node('page'), nestedPlace(place, 'page')),
  })
  return { node, issuer: config }
}

function readProxy(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): IssuerProxyConfig | undefined {
  if (!node) return undefined
  const proxy = reader.object(node, place, ISSUER_PROXY_RULES)
  if (node.type === 'object' && !proxy.has('clientId')) {
    reader.report(node, `${place.label} has no clientId.`, 'Add "clientId": "…".')
  }
  return withoutMissing<IssuerProxyConfig>({
    clientId: proxy.get('clientId') ?? '',
    clientSecret: proxy.get('clientSecret'),
    scopes: proxy.get('scopes') ?? [],
    redirectUris: proxy.get('redirectUris') ?? [],
    keepIdTokens: proxy.get('keepIdTokens'),
  })
}

function readPage(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): IssuerPageConfig | undefined {
  if (!node) return undefined
  const page = reader.object(node, place, ISSUER_PAGE_RULES)
  if (node.type === 'object' && !page.has('clientId')) {
    reader.report(node, `${place.label} has no clientId.`, 'Add "clientId": "…".')
  }
  return withoutMissing<IssuerPageConfig>({
    clientId: page.get('clientId') ?? '',
    clientSecret: page.get('clientSecret'),
    scopes: page.get('scopes'),
  })
}

/** A token names its issuer, so two entries for one issuer would be ambiguous. */
function reportDuplicates(
  reader: ConfigReader,
  issuers: readonly { readonly node: Node; readonly issuer: IssuerConfig }[],
): void {
  const seen = new Set<string>()
  for (const { node, issuer } of issuers) {
    if (issuer.issuer !== '' && seen.has(issuer.issuer)) {
      reader.report(
        node,
        `The issuer ${quote(issuer.issuer)} appears twice.`,
        'Remove one of them.',
      )
    }
    seen.add(issuer.issuer)
  }
  // Its endpoints are at fixed addresses of the gateway.
  const [, second] = issuers.filter(({ issuer }) => issuer.proxy)
  if (second) {
    reader.report(second.node, 'Only one issuer can have a proxy.', 'Remove "proxy" from this one.')
  }
}
