export {
  type RedisLearningStoreOptions,
  redisLearningStore,
} from './learning/redis-learning-store.ts'
export type { RedisStoreClient } from './stores/redis-client.ts'
export { type RedisStoreOptions, redisStore } from './stores/redis-store.ts'
