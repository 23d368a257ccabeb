import { join } from 'node:path'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { EncryptionConfig } from '../config/team-config.ts'
import { createIdTokens } from '../identity/id-tokens.ts'
import type { SharedState } from '../state/shared-state.ts'
import { createFolder } from '../system/create-folder.ts'
import { withLock } from '../system/with-lock.ts'
import type { AccountRecords } from './account-records.ts'
import { type AccountStore, createAccountStore } from './account-store.ts'
import {
  type AccountsApi,
  type AccountsApiOptions,
  accountsPage,
  callbackUrl,
  createAccountsApi,
} from './accounts-api.ts'
import { createConnectAccounts } from './connect-accounts.ts'
import {
  createPersonServers,
  type ManagedPersonServers,
  type PersonServersOptions,
} from './create-person-servers.ts'
import { readEncryptionKeys } from './encryption-keys.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'
import { unreadableAccounts } from './unreadable-accounts.ts'

/** The accounts of the people who use a gateway, and the servers that run with them. */
export interface Accounts {
  readonly people: ManagedPersonServers
  readonly api: AccountsApi
  readonly store: AccountStore
}

interface OpenAccountStoreOptions {
  readonly encryption: EncryptionConfig | undefined
  readonly records: AccountRecords
  readonly state: SharedState
  /** Where the key and locks are, on a single machine. False if nothing may be stored. */
  readonly stateFolder: string | false
  /** Present if the records are shared by several machines. */
  readonly shared?:
    | {
        readonly withLock: SharedState['withLock']
        /** Runs the listener after another replica may have changed an account. */
        onAccountsChanged(listener: () => void): () => void
      }
    | undefined
}

export interface OpenAccountsOptions
  extends OpenAccountStoreOptions,
    Pick<AccountsApiOptions, 'url' | 'mayUse' | 'signedIn' | 'begin'>,
    Pick<PersonServersOptions, 'cacheFolder' | 'upstream'> {
  readonly servers: () => readonly ServerConfig[]
  /** Reports problems that an administrator has to solve. Must not throw. */
  readonly onWarning: (message: string) => void
}

/**
 * Opens what a gateway with servers for single people needs.
 *
 * @throws EncryptionKeyError
 */
export async function openAccounts(options: OpenAccountsOptions): Promise<Accounts> {
  const { url, servers, state, onWarning } = options
  const { store, box } = await openAccountStore(options)
  // A gateway with the wrong key still serves what needs no accounts.
  unreadableAccounts(options.records, box).then(
    (problem) => problem !== undefined && onWarning(problem),
    () => {},
  )
  const page = accountsPage(url)
  const people = await createPersonServers(servers(), {
    ...options,
    store,
    page,
    idTokenOf: createIdTokens(state).find,
    onProblem: onWarning,
  })
  const connect = createConnectAccounts({
    store,
    box,
    state,
    redirectUrl: callbackUrl(url),
    serverNamed: (name) => servers().find((config) => config.name === name),
  })
  const api = createAccountsApi({ ...options, store, connect, personServers: people })
  return { people, api, store }
}

/** @throws EncryptionKeyError */
export async function openAccountStore(
  options: OpenAccountStoreOptions,
): Promise<{ readonly store: AccountStore; readonly box: SecretBox }> {
  const { encryption, records, state, stateFolder, shared } = options
  const keys = await readEncryptionKeys(encryption, { stateFolder, isShared: shared !== undefined })
  const box = createSecretBox(keys)
  const store = createAccountStore({
    records,
    box,
    state,
    ...(!state.isShared && {
      withLock: shared?.withLock ?? lockIn(stateFolder),
      onForeignChange: shared?.onAccountsChanged ?? records.onChange ?? (() => () => {}),
    }),
  })
  return { store, box }
}

/** Locks between the processes of one machine. */
function lockIn(stateFolder: string | false): SharedState['withLock'] {
  const never = new AbortController().signal
  return async (name, task) => {
    const run = () => task({ signal: never, fence: 0 })
    if (stateFolder === false) return run()
    const folder = join(stateFolder, 'accounts')
    await createFolder(folder)
    return withLock(join(folder, `${name}.lock.d`), run)
  }
}
