import { createBoundedMap } from '../system/bounded-map.ts'
import { createExpirySweep } from '../system/expiry-sweep.ts'
import { createMemoryState } from './memory-state.ts'
import type { SharedState } from './shared-state.ts'

/**
 * Values of one kind that belong to people. What this process has stored has a limit of its own: beyond it, the person
 * who has the most loses what was written or kept longest ago. So nobody takes what others need, neither in the memory
 * of this process nor in Redis.
 *
 * Methods reject while the state cannot be reached.
 */
export interface OwnedValues extends Pick<SharedState, 'get' | 'touch' | 'delete'> {
  set(key: string, value: string, about: AboutValue): Promise<void>
}

export interface AboutValue {
  /** Identifies the person whose value it is. */
  readonly owner: string
  /** How long to keep it. */
  readonly ttlMs: number
}

export interface OwnedValuesOptions {
  /** Starts the keys of the values, and keeps kinds apart. */
  readonly kind: string
  /** Total characters of keys and values. */
  readonly capacity: number
  readonly now?: () => number
}

interface Kept {
  readonly owner: string
  readonly size: number
  readonly expiresAt: number
}

/** @param state where the values are. @default the memory of this process */
export function createOwnedValues(
  state: SharedState = createMemoryState(),
  { kind, capacity, now = Date.now }: OwnedValuesOptions,
): OwnedValues {
  const keyOf = (key: string) => `${kind}:${key}`
  const kept = createBoundedMap<string, Kept>(capacity, {
    sizeOf: ({ size }) => size,
    ownerOf: ({ owner }) => owner,
    onDropped: (_, key) => void state.delete(keyOf(key)).catch(() => {}),
  })
  const sweep = createExpirySweep(kept, now)

  return {
    get: (key) => state.get(keyOf(key)),
    async set(key, value, { owner, ttlMs }) {
      sweep()
      const size = key.length + value.length
      kept.set(key, { owner, size, expiresAt: now() + ttlMs })
      await state.set(keyOf(key), value, ttlMs)
      // Others may have taken its place meanwhile.
      if (!kept.has(key)) await state.delete(keyOf(key))
    },
    async touch(key, ttlMs) {
      const own = kept.get(key)
      if (own) kept.set(key, { ...own, expiresAt: now() + ttlMs })
      return state.touch(keyOf(key), ttlMs)
    },
    async delete(key) {
      kept.delete(key)
      return state.delete(keyOf(key))
    },
  }
}
