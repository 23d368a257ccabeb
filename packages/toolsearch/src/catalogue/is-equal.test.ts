import { describe, expect, it } from 'vitest'
import { isEqual } from './is-equal.ts'

describe('isEqual', () => {
  const run = () => {}
  it.each([
    [1, 1],
    [Number.NaN, Number.NaN],
    [
      { a: 1, b: [2, { c: null }] },
      { b: [2, { c: null }], a: 1 },
    ],
    [{ run }, { run }],
    [Object.create(null), {}],
  ])('treats %j and %j as equal', (a, b) => {
    expect(isEqual(a, b)).toBe(true)
  })

  it.each([
    [1, '1'],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [{ run }, { run: () => {} }],
    [{ run }, {}],
    [new Map([[1, 2]]), new Map([[1, 3]])],
    [null, {}],
  ])('treats %j and %j as different', (a, b) => {
    expect(isEqual(a, b)).toBe(false)
    expect(isEqual(b, a)).toBe(false)
  })

  it('treats circular values as different', () => {
    const circle = () => {
      const one: Record<string, unknown> = {}
      one.self = one
      return one
    }
    expect(isEqual(circle(), circle())).toBe(false)
  })
})
