import type { ServerConfig } from '../config/gateway-config.ts'
import type { UpstreamState } from '../upstreams/upstream.ts'
import { accountKey, accountKind, signInTarget } from './account-servers.ts'
import type { Account, AccountStore } from './account-store.ts'
import { personValueNames } from './person-values.ts'

/** A server that runs with the person's own credentials, as the person's page shows it. No secrets. */
export interface AccountOverview {
  readonly server: string
  readonly description?: string
  /** What the person has to provide; see `accountKind`. */
  readonly kind: 'sign-in' | 'values' | 'nothing'
  /**
   * - `connected`: everything is there
   * - `not-connected`: the person must connect the account
   * - `expired`: the person must connect it again
   * - `unreadable`: it cannot be decrypted; the person must connect it again
   */
  readonly state: 'connected' | 'not-connected' | 'expired' | 'unreadable'
  /** Whether the person can sign in to it with a browser. */
  readonly canSignIn: boolean
  /** The values to enter, and whether they are there. */
  readonly values: readonly { readonly name: string; readonly isSet: boolean }[]
  /** The permissions that the person has granted, separated by spaces. */
  readonly scope?: string
  /** Permissions that the server has asked for since. Connecting again grants them. */
  readonly wantedScope?: string
  /** When the person has connected or changed it, in milliseconds since 1970. */
  readonly updatedAt?: number
  /** The person's connection to the server, if there is one. */
  readonly connection?: { readonly state: UpstreamState; readonly detail?: string }
}

/** The accounts of a person for the given servers. */
export async function accountOverviews(
  store: AccountStore,
  person: string,
  servers: readonly ServerConfig[],
): Promise<AccountOverview[]> {
  const stored = await store.list(person)
  return servers.map((config) => {
    const { server, url } = accountKey(person, config)
    const found = stored.find((each) => each.server === server && each.url === url)
    return overviewOf(config, found?.account, found?.updatedAt)
  })
}

function overviewOf(
  config: ServerConfig,
  account: Account = {},
  updatedAt?: number,
): AccountOverview {
  const { name, description } = config
  const { signIn } = account
  const scope = signIn?.tokens?.scope
  return {
    server: name,
    ...(description !== undefined && { description }),
    kind: accountKind(config),
    state: stateOf(config, account),
    canSignIn: signInTarget(config) !== undefined,
    values: personValueNames(config).map((value) => ({
      name: value,
      isSet: Object.hasOwn(account.values ?? {}, value),
    })),
    ...(scope && { scope }),
    ...(signIn?.wantedScope && { wantedScope: signIn.wantedScope }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
}

function stateOf(config: ServerConfig, account: Account): AccountOverview['state'] {
  if (account.isUnreadable) return 'unreadable'
  const kind = accountKind(config)
  if (kind === 'nothing') return 'connected'
  if (kind === 'values') {
    const isSet = (name: string) => Object.hasOwn(account.values ?? {}, name)
    return personValueNames(config).every(isSet) ? 'connected' : 'not-connected'
  }
  if (account.signIn?.tokens) return 'connected'
  return account.signIn ? 'expired' : 'not-connected'
}
