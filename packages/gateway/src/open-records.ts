import { join } from 'node:path'
import { createAccountFiles } from './accounts/account-files.ts'
import type { AccountRecords } from './accounts/account-records.ts'
import type { AuditStore } from './audit/audit-store.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import { createFileKeyStore } from './identity/file-key-store.ts'
import type { KeyStore } from './identity/key-store.ts'
import type { HistoryStore, HistoryStoreOptions } from './inspection/history/history-store.ts'
import type { SavedQueries } from './inspection/saved-queries.ts'
import {
  type ApprovalStore,
  createApprovalStore,
  NO_APPROVAL_STORE,
} from './offering/approvals/approval-store.ts'
import { createSignInStore, type SignInStore } from './sign-in/sign-in-store.ts'
import type { SharedState } from './state/shared-state.ts'
import { fingerprint } from './system/fingerprint.ts'

/** What a gateway stores and must not lose: in files, or in PostgreSQL for all replicas. */
export interface Records {
  readonly approvals: ApprovalStore
  readonly signIns: SignInStore
  /** Undefined if nothing may be stored. */
  readonly keys: KeyStore | undefined
  readonly accounts: AccountRecords | undefined
  /** Present if PostgreSQL is configured. */
  readonly postgres?: PostgresRecords
  close(): Promise<void>
}

/** Records that are in files of their own, unless they are in PostgreSQL. */
export interface PostgresRecords {
  readonly audit: AuditStore
  readonly savedQueries: SavedQueries
  openHistory(options?: HistoryStoreOptions): HistoryStore
  /** Runs one task at a time across all replicas. */
  readonly withLock: SharedState['withLock']
  /** Runs the listener after another replica may have changed an account. */
  onAccountsChanged(listener: () => void): () => void
  /** Whether the database can be reached. Never rejects. */
  isAvailable(): Promise<boolean>
}

export interface OpenRecordsOptions {
  /** The configuration file: without PostgreSQL, each has records of its own. */
  readonly file: string
  /** False to store nothing in files. */
  readonly stateFolder: string | false
  /** Announces changes, so that other replicas notice them at once. */
  readonly state?: SharedState
}

/**
 * Opens the records of a gateway.
 *
 * @throws DatabaseUnavailableError
 * @throws DatabaseTooNewError
 * @throws EncryptionKeyError
 */
export async function openRecords(
  config: Pick<GatewayConfig, 'state' | 'encryption'>,
  options: OpenRecordsOptions,
): Promise<Records> {
  const { file, stateFolder } = options
  if (config.state.postgres !== undefined) {
    const { openPostgresRecords } = await import('./open-postgres-records.ts')
    return openPostgresRecords(config.state.postgres, { ...options, encryption: config.encryption })
  }
  if (stateFolder === false) return NO_RECORDS
  const fileIn = (folder: string) => join(stateFolder, folder, `${fingerprint(file)}.json`)
  return {
    approvals: createApprovalStore(fileIn('approvals')),
    signIns: createSignInStore(join(stateFolder, 'sign-ins')),
    keys: createFileKeyStore(fileIn('keys')),
    accounts: createAccountFiles(join(stateFolder, 'accounts', fingerprint(file))),
    close: async () => {},
  }
}

const NO_RECORDS: Records = {
  approvals: NO_APPROVAL_STORE,
  signIns: {
    read: async () => undefined,
    write: async () => {},
    remove: async () => false,
    withLock: (_, task) => task({ read: async () => undefined, write: async () => true }),
    onChange: () => () => {},
  },
  keys: undefined,
  accounts: undefined,
  close: async () => {},
}
