import type { GatewayConfig } from '../config/gateway-config.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import type { AccountRecords } from './account-records.ts'
import { isPersonal } from './account-servers.ts'
import type { Accounts, OpenAccountsOptions } from './open-accounts.ts'

/** People's own accounts, which follow the configuration. */
export interface FollowingAccounts {
  /** Undefined while no server needs them. */
  readonly current: Accounts | undefined
  /**
   * Applies the configuration as it is now. Opens the accounts once a server needs them.
   *
   * @throws EncryptionKeyError
   */
  apply(): Promise<void>
  close(): Promise<void>
}

export interface FollowAccountsOptions
  extends Omit<OpenAccountsOptions, 'url' | 'servers' | 'encryption' | 'records'> {
  readonly config: () => Pick<GatewayConfig, 'identity' | 'encryption' | 'servers'>
  /** Undefined if nothing may be stored. */
  readonly records: AccountRecords | undefined
}

const NOT_STORED =
  'Servers with credentials of people need a state folder or PostgreSQL, where the credentials are stored.'

/** Loads the code for accounts only if there are servers that need them. */
export function followAccounts({
  config,
  records,
  ...options
}: FollowAccountsOptions): FollowingAccounts {
  const changes = createSerialQueue()
  let accounts: Accounts | undefined

  async function applyNow(): Promise<void> {
    const { identity, encryption, servers } = config()
    if (!identity || !(accounts || servers.some(isPersonal))) return
    const { openAccounts } = await import('./open-accounts.ts')
    if (!records) throw new Error(NOT_STORED)
    accounts ??= await openAccounts({
      ...options,
      url: identity.url,
      servers: () => config().servers,
      encryption,
      records,
    })
    await accounts.people.apply(config().servers)
  }

  return {
    get current() {
      return accounts
    },
    apply: () => changes.run(applyNow),
    async close() {
      await accounts?.people.close()
    },
  }
}
