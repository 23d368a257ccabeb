import { describe, expect, it } from 'vitest'
import { describeEngineSearch } from './engine-search.cases.ts'
import { createEngineSearch } from './engine-search.ts'
import { createMemoryEngine } from './engines/memory-engine.ts'
import { InvalidOptionError } from './options/invalid-option-error.ts'

describe('createEngineSearch', () => {
  describeEngineSearch(async () => createMemoryEngine())

  it('reports options that it cannot use', () => {
    for (const options of [
      {},
      { engine: 'postgres' },
      { engine: createMemoryEngine(), tools: [] },
    ]) {
      expect(() => createEngineSearch(options as never)).toThrow(InvalidOptionError)
    }
  })
})
