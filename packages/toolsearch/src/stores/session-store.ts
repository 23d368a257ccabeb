import type { SessionRecord } from './session-record.ts'

/**
 * Stores conversations. Test your own store with the contract in `session-store.cases.ts`.
 *
 * A method may reject if the storage fails. A failed `update` must not leave a partial change.
 */
export interface SessionStore {
  read(id: string): Promise<SessionRecord | undefined>
  /**
   * Reads, changes and writes a record as one atomic step: no other update of the same session, from
   * this process or another, comes between. Resolves to the stored record.
   *
   * `change` receives the current record, or undefined for a new session. It has no side effects, so a
   * store may call it again with a newer record, for example after a failed compare-and-swap. If it
   * returns the value it received, nothing is written. If it throws, nothing changes and `update`
   * rejects with that error.
   */
  update(
    id: string,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined>
  /** Deletes a record. Does nothing if it does not exist. */
  forget(id: string): Promise<void>
}
