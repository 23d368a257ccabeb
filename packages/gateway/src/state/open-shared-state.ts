import type { StateConfig } from '../config/team-config.ts'
import type { Report } from '../system/report.ts'
import { createMemoryState } from './memory-state.ts'
import type { SharedState } from './shared-state.ts'

export interface OpenSharedStateOptions {
  /** Called once when Redis cannot be reached, and once when it can be again. Must not throw. */
  readonly onWarning?: Report
}

/**
 * Opens the state that the configuration asks for: Redis, or the memory of this process. Resolves even if
 * Redis cannot be reached; see `isAvailable`.
 */
export async function openSharedState(
  { redis, redisPrefix }: StateConfig,
  { onWarning }: OpenSharedStateOptions = {},
): Promise<SharedState> {
  if (redis === undefined) return createMemoryState()
  const { createRedisState } = await import('./redis-state.ts')
  let isReported = false
  return createRedisState({
    url: redis,
    prefix: redisPrefix,
    onStatus({ problem }) {
      if (problem !== undefined && !isReported) {
        // Without the URL, which can contain a password.
        onWarning?.(`Redis cannot be reached (${problem}). The gateway keeps trying.`, 'error')
      }
      if (problem === undefined && isReported) onWarning?.('Redis can be reached again.', 'info')
      isReported = problem !== undefined
    },
  })
}
