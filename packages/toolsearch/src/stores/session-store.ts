import type { SessionAddition, SessionRecord } from './session-record.ts'

/**
 * Where conversations are remembered. `session-store.cases.ts` tells whether a store keeps its word.
 *
 * A method may reject when the storage fails; the caller's step then fails with it and can be
 * tried again, since adding the same thing twice changes nothing.
 */
export interface SessionStore {
  read(id: string): Promise<SessionRecord | undefined>
  /** Adds to a record, or to an empty one, as a single step. Resolves to the record after it. */
  append(id: string, addition: SessionAddition): Promise<SessionRecord>
  /** Replaces the whole record: for restoring, and for what compaction takes away. */
  write(id: string, record: SessionRecord): Promise<void>
  /** Forgetting what is not there is fine. */
  forget(id: string): Promise<void>
}
