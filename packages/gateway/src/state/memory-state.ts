import { createBoundedMap } from '../system/bounded-map.ts'
import { createKeyedQueue } from '../system/keyed-queue.ts'
import type { SharedState } from './shared-state.ts'

export interface MemoryStateOptions {
  /**
   * Total characters of keys and values. Beyond that, the values that were written or kept longest ago
   * are dropped, of the owner who has the most.
   * @default 50_000_000
   */
  readonly capacity?: number
  /** Whose a value is, by its key. @default all have the same owner */
  readonly ownerOf?: (key: string) => string
  readonly now?: () => number
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
  readonly size: number
}

/** How many values are checked for expiry with each write. */
const SWEEP = 10

/** State in the memory of this process: the default, for a gateway without replicas. */
export function createMemoryState({
  capacity = 50_000_000,
  ownerOf = () => '',
  now = Date.now,
}: MemoryStateOptions = {}): SharedState {
  const entries = createBoundedMap<string, Entry>(capacity, {
    sizeOf: ({ size }) => size,
    ownerOf: (_, key) => ownerOf(key),
  })
  const listeners = new Map<string, Set<(message: string) => void>>()
  const enqueue = createKeyedQueue()
  let fence = 0

  function read(key: string): string | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt > now()) return entry.value
    entries.delete(key)
    return undefined
  }

  function write(key: string, value: string, ttlMs: number): void {
    let checked = 0
    for (const [oldest, { expiresAt }] of entries.entries()) {
      if (expiresAt <= now()) entries.delete(oldest)
      else if (++checked >= SWEEP) break
    }
    entries.set(key, { value, expiresAt: now() + ttlMs, size: key.length + value.length })
  }

  return {
    isShared: false,
    get: async (key) => read(key),
    async set(key, value, ttlMs) {
      write(key, value, ttlMs)
    },
    async update(key, change, ttlMs) {
      const value = change(read(key))
      if (value === undefined) entries.delete(key)
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
      return read(key) !== undefined && entries.delete(key)
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
      for (const [key] of entries.entries()) entries.delete(key)
      listeners.clear()
    },
  }
}
