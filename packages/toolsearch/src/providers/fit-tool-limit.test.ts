import { describe, expect, it } from 'vitest'
import { TooManyToolsError } from './adapter-errors.ts'
import { fitToolLimit } from './fit-tool-limit.ts'

const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: '', inputSchema: {} }))
const names = (loaded: readonly string[], limit: number) =>
  fitToolLimit(tools, loaded, limit).map((tool) => tool.name)

describe('fitToolLimit', () => {
  it('returns a list within the limit unchanged', () => {
    expect(fitToolLimit(tools, [], 4)).toBe(tools)
  })

  it('removes the tools that were loaded first', () => {
    expect(names(['d', 'b', 'c'], 2)).toEqual(['a', 'c'])
  })

  it('ignores evictable names that are not in the list', () => {
    expect(names(['gone', 'c'], 3)).toEqual(['a', 'b', 'd'])
  })

  it('throws if tools that are never deferred exceed the limit', () => {
    expect(() => names(['a'], 2)).toThrow(TooManyToolsError)
    expect(() => names(['a'], 2)).toThrow(
      'The request would list 4 tools in full, but the provider accepts at most 2.',
    )
  })
})
