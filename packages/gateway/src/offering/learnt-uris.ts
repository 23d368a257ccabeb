import type { SharedState } from '../state/shared-state.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { fingerprint } from '../system/fingerprint.ts'

/** The servers that mentioned a URI, by person and URI. */
export interface LearntUris {
  get(key: string): string | undefined
  has(key: string): boolean
  set(key: string, server: string): void
  /** Asks what other replicas have learnt. Never rejects. */
  load(key: string): Promise<void>
}

const MAX_LEARNT = 10_000
const KEPT_MS = 24 * 3_600_000

/** @param state shared with other replicas. @default none */
export function createLearntUris(state?: SharedState): LearntUris {
  const learnt = createBoundedMap<string, string>(MAX_LEARNT)
  return {
    get: learnt.get,
    has: learnt.has,
    set(key, server) {
      learnt.set(key, server)
      void state?.set(keyOf(key), server, KEPT_MS).catch(() => {})
    },
    async load(key) {
      const server = await state?.get(keyOf(key)).catch(() => undefined)
      if (server !== undefined) learnt.set(key, server)
    },
  }
}

/** A hash, because a URI can be long, and a secret. */
function keyOf(key: string): string {
  return `uri:${fingerprint(key)}`
}
