import { deleteOldest } from '../delete-oldest.ts'
import { type Check, callback, checkOptions, count, number } from '../options/check-option.ts'
import type { SessionRecord } from './session-record.ts'
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
    async update(id, change) {
      dropIdle()
      const before = entries.get(id)?.record
      const after = change(before)
      if (after === undefined) return undefined
      // a copy, so that later changes to the caller's object do not change the store
      const record = after === before ? before : structuredClone(after)
      put(id, record)
      return record
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
