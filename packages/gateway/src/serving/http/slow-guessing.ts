import { createHash } from 'node:crypto'
import { createBoundedMap } from '../../system/bounded-map.ts'

/**
 * Delays the answers to requests with wrong credentials, so that guessing is slow. Valid credentials are never
 * delayed: many people can share one address.
 */
export interface SlowGuessing {
  /** How long the answer to another refused request should wait, in milliseconds. */
  delayFor(address: string, credential: string): number
}

/** Clients retry with an expired token a few times. */
const FREE_ATTEMPTS = 10
const WINDOW_MS = 60_000
const STEP_MS = 100
const MAX_DELAY_MS = 2_000
const MAX_TRACKED = 10_000

/** Counts refusals per address, and per credential whatever address it comes from. Keeps no credentials. */
export function createSlowGuessing(now: () => number = Date.now): SlowGuessing {
  const counts = createBoundedMap<string, { readonly since: number; readonly count: number }>(
    MAX_TRACKED,
  )

  function countFor(key: string): number {
    const known = counts.get(key)
    const isRecent = known !== undefined && now() - known.since < WINDOW_MS
    const next = isRecent
      ? { since: known.since, count: known.count + 1 }
      : { since: now(), count: 1 }
    counts.set(key, next)
    return next.count
  }

  return {
    delayFor(address, credential) {
      const digest = createHash('sha256').update(credential).digest('base64url')
      const count = Math.max(countFor(`address ${address}`), countFor(`credential ${digest}`))
      return Math.min(Math.max(0, count - FREE_ATTEMPTS) * STEP_MS, MAX_DELAY_MS)
    },
  }
}
