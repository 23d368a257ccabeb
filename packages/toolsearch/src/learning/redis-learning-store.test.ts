import { randomUUID } from 'node:crypto'
import type { RedisClientType } from '@redis/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { describeLearningStore } from './learning-store.cases.ts'
import type { LearningStore } from './learning-store.ts'
import { redisLearningStore } from './redis-learning-store.ts'

let redis: TestRedis
let client: RedisClientType
const prefixOf = new Map<LearningStore, string>()
beforeAll(async () => {
  redis = await startRedis()
  client = await redis.client()
})
afterAll(async () => {
  client.destroy()
  await redis.close()
})

function open(keyPrefix = `test:${randomUUID()}:`): LearningStore {
  const store = redisLearningStore({ client, keyPrefix })
  prefixOf.set(store, keyPrefix)
  return store
}

describe('redisLearningStore', () => {
  describeLearningStore(
    () => open(),
    (store) => open(prefixOf.get(store)!),
  )

  it('rejects something that is not a client', () => {
    expect(() => redisLearningStore({ client: {} as never })).toThrow(/client/)
  })
})
