import { describe } from 'vitest'
import { describeLimitCounters } from './limit-counters.cases.ts'
import { createMemoryCounters } from './memory-counters.ts'

describe('createMemoryCounters', () => {
  describeLimitCounters(async () => createMemoryCounters())
})
