import { createExpirySweep } from '../system/expiry-sweep.ts'
import { createKeyedQueue } from '../system/keyed-queue.ts'
import type { SharedState } from './shared-state.ts'

export interface MemoryStateOptions {
  readonly now?: () => number
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/**
 * State in the memory of this process: the default, for a gateway without replicas. It has no limit of its own:
 * what people can make the gateway store goes through `createOwnedValues`.
 */
export function createMemoryState({ now = Date.now }: MemoryStateOptions = {}): SharedState {
  const entries = new Map<string, Entry>()
  const sweep = createExpirySweep(entries, now)
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
    sweep()
    entries.set(key, { value, expiresAt: now() + ttlMs })
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
      entries.clear()
      listeners.clear()
    },
  }
}
