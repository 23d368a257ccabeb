import { EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** Adds names to the tools that a session has sent, creating it if needed. */
export function addSent(
  store: SessionStore,
  id: string,
  ...names: readonly string[]
): Promise<SessionRecord | undefined> {
  return store.update(id, (record = EMPTY_RECORD) => ({
    ...record,
    sent: [...new Set([...record.sent, ...names])],
  }))
}
