import { createKeyedQueue } from '../system/keyed-queue.ts'
import type { SharedState } from './shared-state.ts'

export interface MemoryStateOptions {
  /**
   * Total characters of keys and values. Beyond that, the values that were written or kept longest ago
   * are dropped.
   * @default 50_000_000
   */
  readonly capacity?: number
  readonly now?: () => number
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/** How many values are checked for expiry with each write. */
const SWEEP = 10

/** State in the memory of this process: the default, for a gateway without replicas. */
export function createMemoryState({
  capacity = 50_000_000,
  now = Date.now,
}: MemoryStateOptions = {}): SharedState {
  /** The ones that were written or kept longest ago first. */
  const entries = new Map<string, Entry>()
  const listeners = new Map<string, Set<(message: string) => void>>()
  const enqueue = createKeyedQueue()
  let size = 0
  let fence = 0

  function read(key: string): string | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt > now()) return entry.value
    remove(key)
    return undefined
  }

  function remove(key: string): boolean {
    const entry = entries.get(key)
    if (entry === undefined) return false
    entries.delete(key)
    size -= key.length + entry.value.length
    return true
  }

  function write(key: string, value: string, ttlMs: number): void {
    remove(key)
    entries.set(key, { value, expiresAt: now() + ttlMs })
    size += key.length + value.length
    let checked = 0
    for (const [oldest, { expiresAt }] of entries) {
      if (oldest === key) return
      if (size > capacity || expiresAt <= now()) remove(oldest)
      else if (++checked >= SWEEP) return
    }
  }

  return {
    isShared: false,
    get: async (key) => read(key),
    async set(key, value, ttlMs) {
      write(key, value, ttlMs)
    },
    async update(key, change, ttlMs) {
      const value = change(read(key))
      if (value === undefined) remove(key)
      else write(key, value, ttlMs)
      return value
    },
    async touch(key, ttlMs) {
      const value = read(key)
      if (value === undefined) return false
      write(key, value, ttlMs)
      return true
    },
    async delete(key) {
      return read(key) !== undefined && remove(key)
    },
    withLock: (name, task) =>
      enqueue(name, () => task({ signal: new AbortController().signal, fence: ++fence })),
    async publish(channel, message) {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener(message)
    },
    async subscribe(channel, listener) {
      // An object of its own, so that the same function can be subscribed twice.
      const own = (message: string) => listener(message)
      const found = listeners.get(channel) ?? new Set()
      listeners.set(channel, found.add(own))
      return () => {
        found.delete(own)
        if (found.size === 0 && listeners.get(channel) === found) listeners.delete(channel)
      }
    },
    isAvailable: async () => true,
    async close() {
      entries.clear()
      listeners.clear()
    },
  }
}
