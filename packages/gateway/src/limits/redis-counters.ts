import { createCallLeases } from './call-leases.ts'
import type { LimitCounters } from './limit-counters.ts'
import { createPlaceLeases } from './place-leases.ts'
import type { RunScript } from './redis-script.ts'

export interface RedisCountersOptions {
  /** How long the places of a process that died stay taken. @default 30_000 */
  readonly leaseMs?: number
  /** How long a process may keep calls and places for itself that it does not use. @default 500 */
  readonly keepMs?: number
}

/** Adds to a counter. ARGV: amount, period. Returns the total, and milliseconds until it is reset. */
const ADD = `
redis.call('SET', KEYS[1], 0, 'PX', ARGV[2], 'NX')
return {redis.call('INCRBY', KEYS[1], ARGV[1]), redis.call('PTTL', KEYS[1])}`

/** Counters that all replicas share. */
export function createRedisCounters(
  runScript: RunScript,
  { leaseMs = 30_000, keepMs = 500 }: RedisCountersOptions = {},
): LimitCounters {
  const calls = createCallLeases(runScript, { leaseMs: keepMs })
  const places = createPlaceLeases(runScript, { leaseMs, keepMs })
  return {
    take: calls.take,
    async add(key, amount, periodSeconds) {
      const args = [String(amount), String(periodSeconds * 1_000)]
      const [total, resetMs] = (await runScript(ADD, [key], args)) as [number, number]
      return { total, resetMs }
    },
    enter: places.enter,
    close() {
      calls.close()
      places.close()
    },
  }
}
