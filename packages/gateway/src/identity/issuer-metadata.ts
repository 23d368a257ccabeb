import { textOf } from '../protocol/json-object.ts'
import { type FetchedJson, fetchJson, isSafeUrl } from './fetch-json.ts'
import { ProviderUnavailableError } from './provider-unavailable-error.ts'

/** What an identity provider publishes about itself, as far as the gateway needs it. */
export interface IssuerMetadata {
  readonly issuer: string
  readonly jwks_uri: string
  readonly authorization_endpoint?: string
  readonly token_endpoint?: string
  readonly [field: string]: unknown
}

/** Metadata hardly ever changes. */
const MAX_AGE_MS = 3_600_000
/** How long to wait after a failure, so that requests don't hammer a provider that is down. */
const RETRY_MS = 5_000

/**
 * Finds the metadata of an issuer (OpenID Connect Discovery, RFC 8414) when it is first needed, and
 * keeps it for an hour. While the provider cannot be reached, the previous metadata stays in use.
 */
export function createIssuerMetadata(
  issuer: string,
  now: () => number = Date.now,
): () => Promise<IssuerMetadata> {
  let known: IssuerMetadata | undefined
  let validUntil = 0
  let failure: unknown
  let loading: Promise<IssuerMetadata> | undefined

  async function load(): Promise<IssuerMetadata> {
    try {
      known = await discover(issuer)
      validUntil = now() + MAX_AGE_MS
      return known
    } catch (error) {
      failure = error
      validUntil = now() + RETRY_MS
      if (known) return known
      throw error
    } finally {
      loading = undefined
    }
  }

  return async () => {
    if (now() < validUntil) {
      if (known) return known
      throw failure
    }
    loading ??= load()
    return loading
  }
}

async function discover(issuer: string): Promise<IssuerMetadata> {
  let failure = new ProviderUnavailableError(`${issuer} publishes no metadata.`)
  for (const url of addressesOf(issuer)) {
    const found = await fetchJson(url).catch((error: ProviderUnavailableError) => {
      failure = error
      return undefined
    })
    if (found?.status === 200) return checked(found, url, issuer)
  }
  throw failure
}

function addressesOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = withoutSlash(pathname)
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
  ]
}

function checked({ body }: FetchedJson, url: string, issuer: string): IssuerMetadata {
  const metadata = (body ?? {}) as Record<string, unknown>
  // Otherwise one provider could speak for another (RFC 8414, section 3.3).
  if (!isSameIssuer(textOf(metadata.issuer), issuer)) {
    throw new ProviderUnavailableError(`${url} is about another issuer than ${issuer}.`)
  }
  const { jwks_uri, authorization_endpoint, token_endpoint } = metadata
  for (const address of [jwks_uri, authorization_endpoint, token_endpoint]) {
    if (address === undefined && address !== jwks_uri) continue
    if (typeof address !== 'string' || !isSafeUrl(address)) {
      throw new ProviderUnavailableError(`${url} contains an address that is not https.`)
    }
  }
  return metadata as IssuerMetadata
}

/** Ignores a slash at the end, which people forget or add in configurations. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other)
}

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text
}
