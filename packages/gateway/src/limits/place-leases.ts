import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LimitCounters, Place } from './limit-counters.ts'
import { ASK_AGAIN_MS, NOW, type RunScript } from './redis-script.ts'

export interface PlaceLeasesOptions {
  /** How long the places of a process that died stay taken. */
  readonly leaseMs: number
  /** How long this process may keep a place after a call has left it. */
  readonly keepMs: number
}

/**
 * Takes a place: a member of a sorted set, scored with the time at which its lease ends. If few of the places
 * are taken, the process may keep it for a while, and is then a member of another set.
 *
 * KEYS: the places, the replicas that keep some.
 * ARGV: id of the place, maximum, length of a lease, replica, how long others wait for kept places.
 * Returns: whether the place was taken, and whether it may be kept, or how many other replicas keep some.
 */
const ENTER = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local taken = redis.call('ZCARD', KEYS[1]) + 1
if taken > tonumber(ARGV[2]) then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  local own = redis.call('ZSCORE', KEYS[2], ARGV[4]) and 1 or 0
  return {0, redis.call('ZCARD', KEYS[2]) - own}
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if taken * 4 > tonumber(ARGV[2]) then return {1, 0} end
redis.call('ZADD', KEYS[2], now + ARGV[5], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return {1, 1}`

/** Renews a lease, also one that ended because this process was too slow: the call is still running. */
const RENEW = `${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`

const LEAVE = `return redis.call('ZREM', KEYS[1], unpack(ARGV))`

/** A place in Redis. */
interface Taken {
  readonly id: string
  readonly key: string
  /** Until when it may be kept. */
  readonly keptUntil: number
}

/**
 * Places for calls that run at the same time, in Redis. If most places are free, a replica keeps a place for
 * the next call for a short time. The place stays taken meanwhile, so the replicas together never take too
 * many. A call that finds no place waits while other replicas may keep some, so none is refused too early.
 */
export function createPlaceLeases(
  runScript: RunScript,
  { leaseMs, keepMs }: PlaceLeasesOptions,
): Pick<LimitCounters, 'enter' | 'close'> {
  const replica = randomUUID()
  const taken = new Map<string, Taken>()
  /** Places that no call uses, by key. */
  const kept = new Map<string, Taken[]>()
  let sweep: NodeJS.Timeout | undefined

  const renewal = setInterval(() => {
    for (const { id, key } of taken.values()) {
      void runScript(RENEW, [key], [id, String(leaseMs)]).catch(() => {})
    }
  }, leaseMs / 3).unref()

  async function release(places: readonly Taken[]): Promise<void> {
    const [first] = places
    if (!first) return
    for (const { id } of places) taken.delete(id)
    // Otherwise the lease ends by itself.
    await runScript(
      LEAVE,
      [first.key],
      places.map(({ id }) => id),
    ).catch(() => {})
  }

  function releaseOld(isOld: (place: Taken) => boolean): void {
    for (const [key, places] of kept) {
      const current = places.filter((place) => !isOld(place))
      if (current.length > 0) kept.set(key, current)
      else kept.delete(key)
      void release(places.filter(isOld))
    }
  }

  function keep(place: Taken): void {
    const places = kept.get(place.key)
    if (places) places.push(place)
    else kept.set(place.key, [place])
    sweep ??= setTimeout(sweepOld, keepMs / 4).unref()
  }

  function sweepOld(): void {
    const now = performance.now()
    releaseOld(({ keptUntil }) => keptUntil <= now)
    sweep = kept.size > 0 ? setTimeout(sweepOld, keepMs / 4).unref() : undefined
  }

  /** Even if its time is over: until it is released, no other replica can have it. */
  function takeKept(key: string): Place | undefined {
    const last = kept.get(key)?.pop()
    return last && placeOf(last)
  }

  function placeOf(place: Taken): Place {
    let hasLeft = false
    return {
      async leave() {
        if (hasLeft) return
        hasLeft = true
        if (performance.now() < place.keptUntil) keep(place)
        else await release([place])
      },
    }
  }

  async function ask(key: string, max: number): Promise<Place | undefined> {
    const start = performance.now()
    for (;;) {
      const id = randomUUID()
      const now = performance.now()
      const args = [id, String(max), String(leaseMs), replica, String(2 * keepMs)]
      const answer = await runScript(ENTER, [key, `${key}:kept`], args)
      const [isIn, more] = answer as [number, number]
      if (isIn === 1) {
        const place = { id, key, keptUntil: more === 1 ? now + keepMs : 0 }
        taken.set(id, place)
        return placeOf(place)
      }
      const isOver = more === 0 || now - start > 3 * keepMs
      // Another call of this process may have left meanwhile.
      const own = takeKept(key)
      if (own || isOver) return own
      await delay(ASK_AGAIN_MS)
    }
  }

  return {
    enter: (key, max) => takeKept(key) ?? ask(key, max),
    close() {
      clearInterval(renewal)
      clearTimeout(sweep)
      releaseOld(() => true)
    },
  }
}
