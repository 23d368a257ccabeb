import type { SessionAddition, SessionRecord } from './session-record.ts'

/**
 * Stores conversations. Test your own store with the contract in `session-store.cases.ts`.
 *
 * A method may reject if the storage fails. The caller can retry, because appending the same
 * addition twice has the same effect as appending it once.
 */
export interface SessionStore {
  read(id: string): Promise<SessionRecord | undefined>
  /** Atomically adds to a record, creating it if needed. Resolves to the updated record. */
  append(id: string, addition: SessionAddition): Promise<SessionRecord>
  /** Replaces the whole record, for restoring a snapshot and for compaction. */
  write(id: string, record: SessionRecord): Promise<void>
  /** Deletes a record. Does nothing if it does not exist. */
  forget(id: string): Promise<void>
}
