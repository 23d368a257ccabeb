import { describe, expect, it } from 'vitest'
import { fitToolLimit, TooManyToolsError } from './fit-tool-limit.ts'

const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: '', inputSchema: {} }))
const names = (loaded: readonly string[], limit: number) =>
  fitToolLimit(tools, loaded, limit).map((tool) => tool.name)

describe('fitToolLimit', () => {
  it('leaves a list alone that fits', () => {
    expect(fitToolLimit(tools, [], 4)).toBe(tools)
  })

  it('leaves out what was loaded first', () => {
    expect(names(['d', 'b', 'c'], 2)).toEqual(['a', 'c'])
  })

  it('counts only loaded tools that are in the list', () => {
    expect(names(['gone', 'c'], 3)).toEqual(['a', 'b', 'd'])
  })

  it('refuses to leave out tools that are never deferred', () => {
    expect(() => names(['a'], 2)).toThrow(TooManyToolsError)
    expect(() => names(['a'], 2)).toThrow('4 tools would be sent in full and the provider takes 2.')
  })
})
