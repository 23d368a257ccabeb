import type { IdentityConfig, IssuerConfig } from '../config/team-config.ts'
import type { Refusal } from './identity.ts'
import { PROOF_ALGORITHMS } from './proof-check.ts'
import { requestedScopes } from './requested-scopes.ts'
import { metadataUrl } from './resource-metadata.ts'

/** Refusals of a resource server (RFC 6750, RFC 9728), by the path that was requested. */
export interface Refusals {
  /** There are no credentials. */
  missing(path: string): Refusal
  invalid(path: string, message: string): Refusal
  insufficientScope(path: string, issuer: IssuerConfig): Refusal
  /** The sender has not proven to have the key that the token is bound to. */
  unproven(path: string, message: string): Refusal
}

const RETRY_SECONDS = 5

export function createRefusals(config: IdentityConfig): Refusals {
  const challenge = (
    path: string,
    parameters: Readonly<Record<string, string>>,
    scheme: 'Bearer' | 'DPoP' = 'Bearer',
  ) => {
    const all = {
      ...parameters,
      ...(config.issuers.length > 0 && { resource_metadata: metadataUrl(config.url, path) }),
    }
    const list = Object.entries(all).map(([name, value]) => `${name}="${quotable(value)}"`)
    return { 'www-authenticate': [scheme, list.join(', ')].filter(Boolean).join(' ') }
  }
  const wanted = scopeParameter(requestedScopes(config.issuers[0]))

  return {
    missing: (path) => ({
      status: 401,
      message: 'Sign in, or send an API key.',
      headers: challenge(path, wanted),
    }),
    invalid: (path, message) => ({
      status: 401,
      message,
      headers: challenge(path, {
        error: 'invalid_token',
        error_description: message,
        ...wanted,
      }),
    }),
    unproven: (path, message) => ({
      status: 401,
      message,
      headers: challenge(
        path,
        {
          error: 'invalid_dpop_proof',
          error_description: message,
          algs: PROOF_ALGORITHMS.join(' '),
        },
        'DPoP',
      ),
    }),
    insufficientScope: (path, issuer) => ({
      status: 403,
      message: `The token needs the scope ${issuer.requiredScopes.join(' ')}.`,
      headers: challenge(path, {
        error: 'insufficient_scope',
        ...scopeParameter(requestedScopes(issuer)),
      }),
    }),
  }
}

/** The credentials are valid but do not permit this. */
export function forbidden(message: string): Refusal {
  return { status: 403, message, headers: {} }
}

/** The credentials cannot be checked now. */
export function unavailable(message: string): Refusal {
  return { status: 503, message, headers: { 'retry-after': String(RETRY_SECONDS) } }
}

function scopeParameter(scopes: readonly string[]): Record<string, string> {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') }
}

/** What a quoted string in a header may contain. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, "'")
}
