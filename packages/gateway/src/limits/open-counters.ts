import type { SharedState } from '../state/shared-state.ts'
import type { LimitCounters } from './limit-counters.ts'
import { createMemoryCounters } from './memory-counters.ts'
import { createRedisCounters } from './redis-counters.ts'

/** Opens the counters: in Redis if replicas share their state there, otherwise in memory. */
export function openCounters({ runScript }: Pick<SharedState, 'runScript'>): LimitCounters {
  return runScript ? createRedisCounters(runScript) : createMemoryCounters()
}
