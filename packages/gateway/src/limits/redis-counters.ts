import { randomUUID } from 'node:crypto'
import type { SharedState } from '../state/shared-state.ts'
import type { LimitCounters } from './limit-counters.ts'

export interface RedisCountersOptions {
  /** How long the places of a process that died stay taken. @default 30_000 */
  readonly leaseMs?: number
}

type RunScript = NonNullable<SharedState['runScript']>

// The clock of Redis, because those of replicas may be apart.
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`
/** Takes a place: a member of a sorted set, scored with the time at which its lease ends. */
const ENTER = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`
/** Renews a lease, also one that ended because this process was too slow: the call is still running. */
const RENEW = `${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`
const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`

/** Counters that all replicas share. */
export async function createRedisCounters(
  runScript: RunScript,
  { leaseMs = 30_000 }: RedisCountersOptions = {},
): Promise<LimitCounters> {
  const { RateLimiterRedis } = await import('rate-limiter-flexible')
  const limiters = new Map<number, InstanceType<typeof RateLimiterRedis>>()
  /** The places of this process, by their ids. */
  const taken = new Map<string, string>()
  // The connection is replaced when it is lost, so the limiter gets only what it calls.
  const storeClient = {
    eval: (script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) =>
      runScript(script, keys, args),
  }

  function limiterFor(periodSeconds: number) {
    const known = limiters.get(periodSeconds)
    if (known) return known
    const limiter = new RateLimiterRedis({
      storeClient,
      useRedisPackage: true,
      keyPrefix: '',
      points: Number.MAX_SAFE_INTEGER,
      duration: periodSeconds,
    })
    limiters.set(periodSeconds, limiter)
    return limiter
  }

  const renewal = setInterval(() => {
    for (const [id, key] of taken) {
      void runScript(RENEW, [key], [id, String(leaseMs)]).catch(() => {})
    }
  }, leaseMs / 3).unref()

  return {
    async add(key, amount, periodSeconds) {
      const limiter = limiterFor(periodSeconds)
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, amount)
      return { total: consumedPoints, resetMs: msBeforeNext }
    },
    async enter(key, max) {
      const id = randomUUID()
      const isIn = await runScript(ENTER, [key], [id, String(max), String(leaseMs)])
      if (isIn !== 1) return undefined
      taken.set(id, key)
      return {
        async leave() {
          if (!taken.delete(id)) return
          // Otherwise the lease ends by itself.
          await runScript(LEAVE, [key], [id]).catch(() => {})
        },
      }
    },
    close() {
      clearInterval(renewal)
    },
  }
}
