import { createKeyedQueue } from '../system/keyed-queue.ts'
import { createRedisConnection } from './redis-connection.ts'
import { createRedisLocks } from './redis-locks.ts'
import { createRedisMessages } from './redis-messages.ts'
import type { SharedState } from './shared-state.ts'

export interface RedisStateOptions {
  readonly url: string
  /** Starts the names of all keys and channels. */
  readonly prefix: string
  /** How long a command may take before the store counts as unavailable. @default 3_000 */
  readonly timeoutMs?: number
  /** How long a lock outlives a process that has stopped or frozen. @default 15_000 */
  readonly leaseMs?: number
  /** Runs when the store cannot be reached any more, and when it can be again. */
  readonly onStatus?: (status: { readonly problem: string | undefined }) => void
}

/** Replaces the value only if it is still the one that the change was made from. */
const REPLACE = `
local value = redis.call('GET', KEYS[1])
if value ~= (ARGV[1] == '1' and ARGV[2]) then return 0 end
if ARGV[3] == '1' then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
else redis.call('DEL', KEYS[1]) end
return 1`

/**
 * State in Redis or Valkey. Resolves after the first attempt to connect, even if it failed: the
 * connection is opened as soon as the store can be reached.
 */
export async function createRedisState({
  url,
  prefix,
  timeoutMs = 3_000,
  leaseMs = 15_000,
  onStatus,
}: RedisStateOptions): Promise<SharedState> {
  const [connection, messages] = await Promise.all([
    createRedisConnection({ url, timeoutMs, ...(onStatus && { onStatus }) }),
    createRedisMessages({ url, timeoutMs }),
  ])
  const { run, repeat } = connection
  const enqueue = createKeyedQueue()
  const keyOf = (key: string) => `${prefix}value:${key}`
  const channelOf = (channel: string) => `${prefix}channel:${channel}`
  await Promise.all([connection.attempted, messages.attempted])

  async function update(
    key: string,
    change: (value: string | undefined) => string | undefined,
    ttlMs: number,
  ): Promise<string | undefined> {
    for (;;) {
      const before = (await repeat((client) => client.get(key))) ?? undefined
      const after = change(before)
      const isReplaced = await run((client) =>
        client.eval(REPLACE, {
          keys: [key],
          arguments: [flag(before), before ?? '', flag(after), after ?? '', lifetime(ttlMs)],
        }),
      )
      if (isReplaced === 1) return after
    }
  }

  return {
    isShared: true,
    get: async (key) => (await repeat((client) => client.get(keyOf(key)))) ?? undefined,
    async set(key, value, ttlMs) {
      await repeat((client) =>
        client.set(keyOf(key), value, {
          expiration: { type: 'PX', value: Number(lifetime(ttlMs)) },
        }),
      )
    },
    // Within this process, changes wait for each other instead of starting over.
    update: (key, change, ttlMs) => enqueue(key, () => update(keyOf(key), change, ttlMs)),
    touch: async (key, ttlMs) =>
      (await repeat((client) => client.pExpire(keyOf(key), Number(lifetime(ttlMs))))) === 1,
    delete: async (key) => (await run((client) => client.del(keyOf(key)))) === 1,
    withLock: createRedisLocks(connection, { prefix, leaseMs }),
    async publish(channel, message) {
      await run((client) => client.publish(channelOf(channel), message))
    },
    subscribe: (channel, listener, onGap) =>
      messages.subscribe(channelOf(channel), listener, onGap),
    runScript: (script, keys, args) =>
      run((client) =>
        client.eval(script, {
          keys: keys.map((key) => `${prefix}script:${key}`),
          arguments: [...args],
        }),
      ),
    isAvailable: () =>
      run((client) => client.ping()).then(
        () => true,
        () => false,
      ),
    async close() {
      await Promise.all([connection.close(), messages.close()])
    },
  }
}

function flag(value: string | undefined): string {
  return value === undefined ? '0' : '1'
}

/** Redis takes whole milliseconds, and at least one. */
function lifetime(ttlMs: number): string {
  return String(Math.max(1, Math.ceil(ttlMs)))
}
