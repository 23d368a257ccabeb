import { describe, expect, it } from 'vitest'
import { compareNames } from './compare-names.ts'

describe('compareNames', () => {
  it.each([
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['a', 'a', 0],
    ['a', 'ab', -1],
    ['Z', 'a', -1],
    ['a10', 'a9', -1],
    ['z', 'ä', -1],
    ['😀', '\uffff', -1],
    ['e\u0301', 'é', -1],
  ])('compares %j and %j by code units', (a, b, order) => {
    expect(compareNames(a, b)).toBe(order)
  })
})
