import type { IdentityConfig } from '../config/team-config.ts'
import type { SharedState } from '../state/shared-state.ts'
import { type CreateIdentityOptions, createIdentity } from './create-identity.ts'
import type { Identity } from './identity.ts'
import { createIdentityStores } from './identity-stores.ts'

/** An identity whose settings can change while requests arrive. */
export interface FollowingIdentity extends Identity {
  /**
   * Applies new settings, except for the public address. If they are missing, the previous ones stay in
   * effect: an edit must not open the gateway to everybody.
   */
  configure(config: IdentityConfig | undefined): Promise<void>
}

export interface FollowIdentityOptions extends Omit<CreateIdentityOptions, 'stores'> {
  readonly state: SharedState
}

export async function followIdentity(
  config: IdentityConfig,
  { state, ...given }: FollowIdentityOptions,
): Promise<FollowingIdentity> {
  const options = { ...given, stores: createIdentityStores(state) }
  let applied = JSON.stringify(config)
  let current = await createIdentity(config, options)
  const { url } = current

  return {
    url,
    authenticate: (request) => current.authenticate(request),
    serves: (path) => current.serves(path),
    handle: (...request) => current.handle(...request),
    async configure(next) {
      if (next === undefined || new URL(next.url).origin !== url) {
        options.onWarning('Restart the gateway to apply the new value of toolsearch.identity.')
        return
      }
      const text = JSON.stringify(next)
      if (text === applied) return
      applied = text
      const identity = await createIdentity(next, options)
      // A later edit may have been applied in the meantime.
      if (applied === text) current = identity
    },
  }
}
