import type { IdentityConfig } from '../config/team-config.ts'
import { looksLikeApiKey } from './api-key.ts'
import type { ApiKeys } from './api-keys.ts'
import { bearerToken } from './bearer-token.ts'
import type { Authentication, Identity } from './identity.ts'
import { createKeyCheck } from './key-check.ts'
import { createRefusals } from './refusals.ts'
import { describedResource, resourceMetadata } from './resource-metadata.ts'
import { createTokenCheck } from './token-check.ts'
import { createTrustedIssuer } from './trusted-issuer.ts'

export interface CreateIdentityOptions {
  /** Required if the configuration accepts API keys. */
  readonly keys?: ApiKeys | undefined
  /** Reports problems that an administrator has to solve. Must not throw. */
  readonly onWarning: (message: string) => void
  readonly now?: () => number
}

/** Sets up sign-in as configured. Contacts no identity provider before the first token arrives. */
export async function createIdentity(
  given: IdentityConfig,
  { keys, onWarning, now = Date.now }: CreateIdentityOptions,
): Promise<Identity> {
  const config = { ...given, url: new URL(given.url).origin }
  const refusals = createRefusals(config)
  const warn = limitWarnings(onWarning, now)
  const jose = await import('jose')
  const { clockSkewSeconds } = config
  const issuers = config.issuers.map((issuer) =>
    createTrustedIssuer(jose, issuer, { clockSkewSeconds, now }),
  )
  const checkToken = createTokenCheck(jose, { config, issuers, refusals, warn, now })
  const checkKey = createKeyCheck(config.apiKeys ? keys : undefined, { refusals, warn })

  return {
    url: config.url,
    authenticate({ headers, path }): Authentication | Promise<Authentication> {
      const token = bearerToken(headers)
      if (token === undefined) return { refusal: refusals.missing(path) }
      return looksLikeApiKey(token) ? checkKey(token, path) : checkToken(token, path)
    },
    serves: (path) => issuers.length > 0 && describedResource(path) !== undefined,
    async handle(request) {
      const { pathname } = new URL(request.url)
      const resource = describedResource(pathname)
      if (resource === undefined) return new Response(null, { status: 404 })
      return Response.json(resourceMetadata(config, resource))
    },
  }
}

/** The same warning at most once a minute: every request could cause it. */
function limitWarnings(
  onWarning: (message: string) => void,
  now: () => number,
): (message: string) => void {
  const saidAt = new Map<string, number>()
  return (message) => {
    const at = now()
    if (at - (saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    if (saidAt.size >= 100) saidAt.clear()
    saidAt.set(message, at)
    onWarning(message)
  }
}
