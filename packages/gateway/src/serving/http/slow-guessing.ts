import { createHash } from 'node:crypto'
import { createBoundedMap } from '../../system/bounded-map.ts'

/**
 * Delays the answers to requests with wrong credentials, so that guessing is slow. Valid credentials are never
 * delayed: many people can share one address.
 */
export interface SlowGuessing {
  /**
   * How long the answer to another refused request should wait, in milliseconds. `too-many` if so many answers to
   * this address wait that this one should not.
   */
  delayFor(address: string, credential: string): number | 'too-many'
}

/** Clients retry with an expired token a few times. */
const FREE_ATTEMPTS = 10
const WINDOW_MS = 60_000
const STEP_MS = 100
const MAX_DELAY_MS = 2_000
const MAX_TRACKED = 10_000
/** Everybody behind a proxy has one address, and clients with expired tokens must get an answer too. */
const MAX_WAITING = 50

/** Counts refusals per address, and per credential whatever address it comes from. Keeps no credentials. */
export function createSlowGuessing(now: () => number = Date.now): SlowGuessing {
  const counts = createBoundedMap<string, { readonly since: number; readonly count: number }>(
    MAX_TRACKED,
  )
  /** When the delayed answers to an address are sent. */
  const waiting = createBoundedMap<string, readonly number[]>(MAX_TRACKED)

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
      const delay = Math.min(Math.max(0, count - FREE_ATTEMPTS) * STEP_MS, MAX_DELAY_MS)
      if (delay === 0) return 0
      const pending = (waiting.get(address) ?? []).filter((time) => time > now())
      if (pending.length >= MAX_WAITING) return 'too-many'
      waiting.set(address, [...pending, now() + delay])
      return delay
    },
  }
}
