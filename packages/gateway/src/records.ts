import type { LearningStore } from 'toolsearch/learning'
import type { AccountRecords } from './accounts/account-records.ts'
import type { AuditStore } from './audit/audit-store.ts'
import type { KeyStore } from './identity/key-store.ts'
import type { HistoryStore, HistoryStoreOptions } from './inspection/history/history-store.ts'
import type { SavedQueries } from './inspection/saved-queries.ts'
import type { ApprovalStore } from './offering/approvals/approval-store.ts'
import type { SkillTextStore } from './offering/approvals/skill-texts.ts'
import type { SignInStore } from './sign-in/sign-in-store.ts'
import type { Database } from './state/database.ts'
import type { SharedState } from './state/shared-state.ts'
import type { Report } from './system/report.ts'

/** What a gateway stores and must not lose: in files, or in PostgreSQL for all replicas. */
export interface Records {
  readonly approvals: ApprovalStore
  /** Undefined if nothing may be stored. */
  readonly skillTexts: SkillTextStore | undefined
  readonly signIns: SignInStore
  /** Undefined if nothing may be stored. */
  readonly keys: KeyStore | undefined
  readonly accounts: AccountRecords | undefined
  /** Opens the uses of tools, for learning. Resolves to undefined if nothing may be stored. */
  openUses(): Promise<LearningStore | undefined>
  /** Present if PostgreSQL is configured. */
  readonly postgres?: PostgresRecords
  /** Why PostgreSQL cannot be used, if nothing is stored for this reason. */
  readonly unavailable?: string
  close(): Promise<void>
}

/** Records that are in files of their own, unless they are in PostgreSQL. */
interface PostgresRecords {
  readonly audit: AuditStore
  /** For stores that are opened elsewhere, such as that of the audit log. */
  readonly database: Database
  readonly savedQueries: SavedQueries
  openHistory(options?: HistoryStoreOptions): HistoryStore
  /** Runs one task at a time across all replicas. */
  readonly withLock: SharedState['withLock']
  /** Runs the listener after another replica may have changed an account. */
  onAccountsChanged(listener: () => void): () => void
  /** Tells every replica that uses were forgotten. */
  announceForgotten(): Promise<void>
  /** Runs the listener after another replica, or a command, may have forgotten uses. */
  onForgotten(listener: () => Promise<void>): () => void
}

export interface OpenRecordsOptions {
  /** The configuration file: without PostgreSQL, each has records of its own. */
  readonly file: string
  /** False to store nothing in files. */
  readonly stateFolder: string | false
  /** Announces changes, so that other replicas notice them at once. */
  readonly state?: SharedState
  /** Called once when PostgreSQL cannot be used, and once when it can be again. Must not throw. */
  readonly onWarning?: Report
  /**
   * Whether to open even if PostgreSQL cannot be reached or the encryption key is invalid. Nothing is read or
   * stored then.
   * @default false
   */
  readonly isOptional?: boolean
}
