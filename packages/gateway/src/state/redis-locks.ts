import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createKeyedQueue } from '../system/keyed-queue.ts'
import type { RedisConnection } from './redis-connection.ts'
import type { SharedState } from './shared-state.ts'

/**
 * Takes the lock unless somebody has it. The fence is at least the time, so that it increases even if
 * Redis has lost its data. One counter serves all locks, because a counter for each name would have to
 * be kept forever.
 */
const ACQUIRE = `
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local fence = math.max(tonumber(redis.call('GET', KEYS[2]) or '0') + 1, now)
redis.call('SET', KEYS[2], string.format('%.0f', fence))
return string.format('%.0f', fence)`

const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`

const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

const MAX_WAIT_MS = 250

/** Locks with a lease that is renewed while the task runs. */
export function createRedisLocks(
  connection: RedisConnection,
  { prefix, leaseMs }: { readonly prefix: string; readonly leaseMs: number },
): SharedState['withLock'] {
  const enqueue = createKeyedQueue()

  async function acquire(keys: string[], token: string): Promise<{ fence: number; at: number }> {
    for (let wait = 10; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const at = performance.now()
      const fence = await connection.run((client) =>
        client.eval(ACQUIRE, { keys, arguments: [token, String(leaseMs)] }),
      )
      if (fence !== null) return { fence: Number(fence), at }
      await delay(wait * (0.5 + Math.random() / 2))
    }
  }

  // Within this process, tasks wait for each other without asking Redis.
  return (name, task) =>
    enqueue(name, async () => {
      const keys = [`${prefix}lock:${name}`, `${prefix}fence`]
      const token = randomUUID()
      const { fence, at } = await acquire(keys, token)
      const lost = new AbortController()
      const lose = () => lost.abort(new Error(`The lock "${name}" was lost.`))
      // Counted from the time of the request, because the lease started no earlier.
      let expiry = setTimeout(lose, at + leaseMs - performance.now())
      const renewal = setInterval(() => void renew(), leaseMs / 3)

      async function renew(): Promise<void> {
        const renewedAt = performance.now()
        const isRenewed = await connection
          .run((client) =>
            client.eval(RENEW, { keys: [keys[0]!], arguments: [token, String(leaseMs)] }),
          )
          // Until the lease ends, the next renewal may succeed.
          .catch(() => undefined)
        if (isRenewed === 0) lose()
        if (isRenewed !== 1 || lost.signal.aborted) return
        clearTimeout(expiry)
        expiry = setTimeout(lose, renewedAt + leaseMs - performance.now())
      }

      try {
        return await task({ signal: lost.signal, fence })
      } finally {
        clearInterval(renewal)
        clearTimeout(expiry)
        // If this fails, the lease ends by itself.
        await connection
          .run((client) => client.eval(RELEASE, { keys: [keys[0]!], arguments: [token] }))
          .catch(() => {})
      }
    })
}
