import { describe, expect, it } from 'vitest'
import { hashNames } from './hash-names.ts'

describe('hashNames', () => {
  it('is a short text that does not depend on the order', () => {
    expect(hashNames(['a', 'b', 'c'])).toBe(hashNames(['c', 'a', 'b']))
    expect(hashNames([])).toMatch(/^[0-9a-f]{16}$/)
  })

  it('distinguishes similar sets', () => {
    const sets: string[][] = [
      [],
      [''],
      ['', ''],
      ['ab'],
      ['a', 'b'],
      ['ba'],
      ['a', 'bc'],
      ['ab', 'c'],
    ]
    for (let i = 0; i < 2_000; i++) {
      sets.push([`tool_${i}`], [`tool_${i}`, `tool_${i + 1}`], [`tool_${i}`, `tool_${i + 2}`])
    }
    expect(new Set(sets.map(hashNames)).size).toBe(sets.length)
  })
})
