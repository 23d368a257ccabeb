import { describe, expect, it } from 'vitest'
import { isTooDeep, MAX_DEPTH } from './is-too-deep.ts'

const lists = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
const objects = (depth: number): unknown =>
  JSON.parse(`${'{"__proto__":'.repeat(depth)}1${'}'.repeat(depth)}`)

describe('isTooDeep', () => {
  it.each([lists, objects])('counts every level of arrays and objects', (nested) => {
    expect(isTooDeep(nested(MAX_DEPTH))).toBe(false)
    expect(isTooDeep(nested(MAX_DEPTH + 1))).toBe(true)
    expect(isTooDeep([1, nested(3)], 3)).toBe(true)
  })

  it('handles a depth at which JSON.stringify overflows the stack', () => {
    const deep = lists(1_000_000)
    expect(() => JSON.stringify(deep)).toThrow(RangeError)
    expect(isTooDeep(deep)).toBe(true)
  })
})
