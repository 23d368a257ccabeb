import { createHash } from 'node:crypto'
import {
  type Check,
  callback,
  check,
  complete,
  count,
  number,
  text,
} from '../options/check-option.ts'
import { type RedisStoreClient, sendCommand } from './redis-client.ts'
import { createSerialQueue } from './serial-queue.ts'
import type { SessionRecord } from './session-record.ts'
import { readSnapshot, type SessionSnapshot } from './session-snapshot.ts'
import type { SessionStore } from './session-store.ts'

export interface RedisStoreOptions {
  client: RedisStoreClient
  /**
   * Starts the names of all keys.
   * @default 'toolsearch:'
   */
  keyPrefix?: string
  /**
   * Maximum number of conversations. Beyond that, the least recently used 10% are deleted.
   * @default Infinity
   */
  maxSessions?: number
  /**
   * Delete a conversation that was not used for this many milliseconds.
   * @default 30 days
   */
  idleMs?: number
  /**
   * Called when a record cannot be read and its session starts empty. Must not throw.
   * @default console.warn
   */
  onWarning?: (message: string) => void
}

const checkStoreOptions = complete(
  {
    client: check(
      (value) => sendCommand(value as RedisStoreClient) !== undefined,
      'pass a client of redis, @redis/client or ioredis',
    ),
    keyPrefix: text,
    maxSessions: count(1),
    idleMs: number(1),
    onWarning: callback,
  } satisfies Record<keyof RedisStoreOptions, Check>,
  ['keyPrefix', 'maxSessions', 'idleMs', 'onWarning'],
)

/**
 * `use` marks a session as used now, by the clock of Redis. Limits are empty if there are none.
 * KEYS: the session, the index. ARGV: idle time, maximum number.
 */
const USE = `
local idle, max = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function use()
  if idle then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  if max then redis.call('ZADD', KEYS[2], string.format('%.0f', now), KEYS[1]) end
end`

const READ = `${USE}
local value = redis.call('GET', KEYS[1])
if value then use() end
return value`

/** Writes only if the record is still the one that the change was made from. */
const WRITE = `${USE}
if redis.call('GET', KEYS[1]) ~= (ARGV[3] == '1' and ARGV[4]) then return 0 end
redis.call('SET', KEYS[1], ARGV[5])
use()
if max then
  if idle then redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('(%.0f', now - idle)) end
  local excess = redis.call('ZCARD', KEYS[2]) - max
  if excess > 0 then
    -- 10% at once, so that a full store does not delete with every new session
    local oldest = redis.call('ZRANGE', KEYS[2], 0, excess + math.floor(max / 10) - 1)
    for _, key in ipairs(oldest) do
      if key ~= KEYS[1] then
        redis.call('DEL', key)
        redis.call('ZREM', KEYS[2], key)
      end
    end
  end
end
return 1`

const FORGET = `
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], KEYS[1])
return 1`

/**
 * Stores conversations in Redis or Valkey, which any number of processes can share. Each update is
 * atomic: a script writes the record unless another process was faster, and the update then starts over.
 *
 * @throws InvalidOptionError
 *
 * @example
 * const client = await createClient({ url: 'redis://localhost' }).connect()
 * const toolSearch = createToolSearch({ tools, store: redisStore({ client }) })
 */
export function redisStore(options: RedisStoreOptions): SessionStore {
  checkStoreOptions(options, 'options')
  const { keyPrefix = 'toolsearch:', onWarning = console.warn } = options
  const { maxSessions = Number.POSITIVE_INFINITY, idleMs = 30 * 24 * 3_600_000 } = options
  const limits = [limit(Math.ceil(idleMs)), limit(maxSessions)]
  const command = sendCommand(options.client)!
  const enqueue = createSerialQueue()

  function run(script: string, id: string, ...args: string[]): Promise<unknown> {
    const keys = [`${keyPrefix}session:${keyOf(id)}`, `${keyPrefix}sessions`]
    return command(['EVAL', script, '2', ...keys, ...limits, ...args])
  }

  async function read(id: string): Promise<{ stored: string | null; record?: SessionRecord }> {
    const reply = await run(READ, id)
    if (reply === null) return { stored: null }
    const stored = String(reply)
    try {
      return { stored, record: readSnapshot(JSON.parse(stored)).record }
    } catch (error) {
      const { message } = error as Error
      onWarning(`toolsearch: cannot read session "${id}", so it starts empty (${message}).`)
      return { stored }
    }
  }

  async function update(
    id: string,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    for (;;) {
      const { stored, record: before } = await read(id)
      const after = change(before)
      if (after === before || after === undefined) return before
      const snapshot: SessionSnapshot = { version: 2, id, record: after }
      const json = JSON.stringify(snapshot)
      const base = stored === null ? ['0', ''] : ['1', stored]
      if ((await run(WRITE, id, ...base, json)) === 1) return readSnapshot(JSON.parse(json)).record
    }
  }

  return {
    read: async (id) => (await read(id)).record,
    // one after another, so that the updates of this process do not have to start over
    update: (id, change) => enqueue(id, () => update(id, change)),
    async forget(id) {
      await run(FORGET, id)
    },
  }
}

/** Empty for no limit. */
function limit(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '' : String(value)
}

/** The id itself, so that people recognise it, unless it is long or not valid Unicode. */
function keyOf(id: string): string {
  if (id.length <= 200 && id.isWellFormed()) return `id:${id}`
  return `hash:${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex')}`
}
