import { freshDatabase } from '../services/fresh-database.ts'
import { startRedis } from '../services/start-redis.ts'

/** What a sample needs besides a model: variables of its environment, and how to stop it. */
export interface SampleService {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts the servers of samples that need some. */
export const SERVICES: Readonly<Record<string, () => Promise<SampleService>>> = {
  'engines/postgres.ts': emptyDatabase,
  'sessions/postgres.ts': emptyDatabase,
  'sessions/redis.ts': async () => {
    const redis = await startRedis()
    return { env: { REDIS_URL: redis.url }, close: redis.close }
  },
}

async function emptyDatabase(): Promise<SampleService> {
  return { env: { DATABASE_URL: await freshDatabase() }, close: async () => {} }
}
