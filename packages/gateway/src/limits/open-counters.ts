import type { SharedState } from '../state/shared-state.ts'
import type { LimitCounters } from './limit-counters.ts'

/** Opens the counters: in Redis if replicas share their state there, otherwise in memory. */
export async function openCounters({
  runScript,
}: Pick<SharedState, 'runScript'>): Promise<LimitCounters> {
  if (runScript) return (await import('./redis-counters.ts')).createRedisCounters(runScript)
  return (await import('./memory-counters.ts')).createMemoryCounters()
}
