import { type Check, check, complete, text } from '../options/check-option.ts'
import { type RedisStoreClient, sendCommand } from '../stores/redis-client.ts'
import { type LearningStore, parseUse } from './learning-store.ts'

export interface RedisLearningStoreOptions {
  client: RedisStoreClient
  /** @default 'toolsearch:' */
  keyPrefix?: string
}

const checkStoreOptions = complete(
  {
    client: check(
      (value) => sendCommand(value as RedisStoreClient) !== undefined,
      'pass a client of redis, @redis/client or ioredis',
    ),
    keyPrefix: text,
  } satisfies Record<keyof RedisLearningStoreOptions, Check>,
  ['keyPrefix'],
)

/**
 * Stores uses in a hash of Redis or Valkey, which any number of processes can share.
 *
 * @throws InvalidOptionError
 */
export function redisLearningStore(options: RedisLearningStoreOptions): LearningStore {
  checkStoreOptions(options, 'options')
  const { client, keyPrefix = 'toolsearch:' } = options
  const command = sendCommand(client)!
  const key = `${keyPrefix}uses`
  return {
    async read() {
      const values = (await command(['HVALS', key])) as readonly unknown[]
      return values.flatMap((json) => parseUse(String(json)) ?? [])
    },
    async add(uses) {
      if (uses.length === 0) return
      await command(['HSET', key, ...uses.flatMap((use) => [use.id, JSON.stringify(use)])])
    },
    async remove(ids) {
      if (ids.length > 0) await command(['HDEL', key, ...ids])
    },
    async clear() {
      await command(['DEL', key])
    },
  }
}
