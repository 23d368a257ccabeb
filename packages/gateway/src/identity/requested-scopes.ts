import type { IssuerConfig } from '../config/team-config.ts'

/** The scopes that a client has to ask for, so that its tokens have the required ones. */
export function requestedScopes(issuer: IssuerConfig | undefined): readonly string[] {
  const { proxy, requiredScopes = [] } = issuer ?? {}
  return proxy && proxy.scopes.length > 0 ? proxy.scopes : requiredScopes
}
