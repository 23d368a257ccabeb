import { describe } from 'vitest'
import { describeCandidateEngine } from './candidate-engine.cases.ts'
import { createMemoryEngine } from './memory-engine.ts'

describe('createMemoryEngine', () => {
  describeCandidateEngine(async () => createMemoryEngine())
})
