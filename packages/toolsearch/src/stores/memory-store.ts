import { deleteOldest } from '../delete-oldest.ts'
import { type Check, callback, checkOptions, count, number } from '../options/check-option.ts'
import { addToRecord, EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

export interface MemoryStoreOptions {
  /**
   * Maximum number of conversations. Beyond that, the least recently used one is dropped.
   * @default 4_096
   */
  maxSessions?: number
  /**
   * Drop a conversation that was not used for this many milliseconds.
   * @default Infinity
   */
  idleMs?: number
  /** @default Date.now */
  now?: () => number
}

const OPTIONS = {
  maxSessions: count(1),
  idleMs: number(),
  now: callback,
} satisfies Record<keyof MemoryStoreOptions, Check>

/** Stores conversations in the memory of this process. @throws InvalidOptionError */
export function createMemoryStore(options: MemoryStoreOptions = {}): SessionStore {
  checkOptions(options, 'options', OPTIONS)
  const { maxSessions = 4_096, idleMs = Number.POSITIVE_INFINITY, now = Date.now } = options
  /** Least recently used first. */
  const entries = new Map<string, { record: SessionRecord; usedAt: number }>()

  return {
    async read(id) {
      dropIdle()
      const entry = entries.get(id)
      if (entry) put(id, entry.record)
      return entry?.record
    },
    async append(id, addition) {
      dropIdle()
      const record = addToRecord(entries.get(id)?.record ?? EMPTY_RECORD, addition)
      put(id, record)
      return record
    },
    async write(id, record) {
      dropIdle()
      put(id, structuredClone(record))
    },
    async forget(id) {
      entries.delete(id)
    },
  }

  function put(id: string, record: SessionRecord): void {
    // deleting it first makes it the most recently used entry
    entries.delete(id)
    entries.set(id, { record, usedAt: now() })
    deleteOldest(entries, maxSessions)
  }

  function dropIdle(): void {
    for (const [id, { usedAt }] of entries) {
      if (now() - usedAt <= idleMs) break
      entries.delete(id)
    }
  }
}
