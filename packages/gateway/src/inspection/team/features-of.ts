import type { InspectionTarget } from '../inspection-target.ts'
import type { Features } from '../team-api.ts'

/** Which parts of the page have something to show. */
export function featuresOf({
  config,
  keys,
  audit,
}: Pick<InspectionTarget, 'config' | 'keys' | 'audit'>): Features {
  const { identity, servers } = config()
  return {
    signIn: (identity?.issuers.length ?? 0) > 0,
    people: identity !== undefined && audit !== undefined,
    keys: identity?.apiKeys === true && keys !== undefined,
    audit: audit !== undefined,
    accounts: servers.some(
      ({ credentials, disabled }) => credentials.kind === 'person' && !disabled,
    ),
  }
}
