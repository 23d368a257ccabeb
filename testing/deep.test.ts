import { describe, expect, it } from 'vitest'
import { combinations, eachValue, isDeep } from './deep.ts'

describe.skipIf(isDeep)('combinations', () => {
  it('returns few rows, in which every pair of values occurs', () => {
    const dimensions = { a: [1, 2, 3], b: ['x', 'y', 'z'], c: [true, false], d: [null, {}] }
    const rows = combinations(dimensions)
    expect(rows.length).toBeLessThan(14)
    const names = Object.keys(dimensions) as (keyof typeof dimensions)[]
    for (const one of names) {
      for (const other of names.slice(names.indexOf(one) + 1)) {
        for (const value of dimensions[one]) {
          for (const second of dimensions[other]) {
            expect(rows.some((row) => row[one] === value && row[other] === second)).toBe(true)
          }
        }
      }
    }
  })

  it('returns every value of a single dimension', () => {
    expect(combinations({ a: [1, 2] })).toEqual([{ a: 1 }, { a: 2 }])
  })
})

it.skipIf(isDeep)('eachValue returns as many rows as the longest dimension has values', () => {
  expect(eachValue({ a: [1, 2, 3], b: ['x', 'y'] })).toEqual([
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
    { a: 3, b: 'x' },
  ])
})
