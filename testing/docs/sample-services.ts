import { startRedis } from '../services/start-redis.ts'

/** What a sample needs besides a model: variables of its environment, and how to stop it. */
export interface SampleService {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts the servers of samples that need some. */
export const SERVICES: Readonly<Record<string, () => Promise<SampleService>>> = {
  'sessions/redis.ts': async () => {
    const redis = await startRedis()
    return { env: { REDIS_URL: redis.url }, close: redis.close }
  },
}
