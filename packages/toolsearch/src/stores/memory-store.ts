import { addToRecord, EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

export interface MemoryStoreOptions {
  /**
   * How many conversations are kept. One more, and the one left alone the longest is forgotten.
   * @default 4_096
   */
  maxSessions?: number
  /**
   * How long a conversation may be left alone before it is forgotten.
   * @default Infinity
   */
  idleMs?: number
  /** @default Date.now */
  now?: () => number
}

/** Keeps conversations in this process. */
export function createMemoryStore({
  maxSessions = 4_096,
  idleMs = Number.POSITIVE_INFINITY,
  now = Date.now,
}: MemoryStoreOptions = {}): SessionStore {
  /** Least recently used first. */
  const entries = new Map<string, { record: SessionRecord; usedAt: number }>()

  return {
    async read(id) {
      dropIdle()
      const entry = entries.get(id)
      if (entry) keep(id, entry.record)
      return entry?.record
    },
    async append(id, addition) {
      dropIdle()
      const record = addToRecord(entries.get(id)?.record ?? EMPTY_RECORD, addition)
      keep(id, record)
      return record
    },
    async write(id, record) {
      dropIdle()
      keep(id, structuredClone(record))
    },
    async forget(id) {
      entries.delete(id)
    },
  }

  function keep(id: string, record: SessionRecord): void {
    entries.delete(id)
    entries.set(id, { record, usedAt: now() })
    for (const oldest of entries.keys()) {
      if (entries.size <= maxSessions) break
      entries.delete(oldest)
    }
  }

  function dropIdle(): void {
    for (const [id, { usedAt }] of entries) {
      if (now() - usedAt <= idleMs) break
      entries.delete(id)
    }
  }
}
