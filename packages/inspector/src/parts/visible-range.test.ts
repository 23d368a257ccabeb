import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { rowAfterKey, scrollToShow, visibleRange } from './visible-range.ts'

const list = { scrollTop: 0, height: 400, rowHeight: 40, count: 10_000 }

describe('visibleRange', () => {
  it.each([
    [0, [0, 18]],
    [4000, [92, 118]],
    [399_600, [9982, 10_000]],
  ])('returns the rows to draw at %d', (scrollTop, range) => {
    expect(visibleRange({ ...list, scrollTop })).toEqual(range)
  })

  it('covers all visible rows, and stays within the list', async () => {
    await checkProperty(
      fc.property(fc.nat(500_000), fc.nat(2000), fc.nat(10_000), (scrollTop, height, count) => {
        const [first, end] = visibleRange({ scrollTop, height, rowHeight: 40, count })
        expect(first).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(count)
        const seen = Math.min(count, Math.ceil((scrollTop + height) / 40))
        expect(end).toBeGreaterThanOrEqual(seen)
        expect(end - first).toBeLessThan(height / 40 + 20)
      }),
      { cases: 100 },
    )
  })
})

describe('scrollToShow', () => {
  it.each([
    [3, 0, 0],
    [10, 0, 40],
    [2, 400, 80],
  ])('scrolls to row %d from %d', (index, scrollTop, expected) => {
    expect(scrollToShow(index, { ...list, scrollTop })).toBe(expected)
  })
})

describe('rowAfterKey', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 0, 0],
    ['PageDown', 5, 14],
    ['PageUp', 5, 0],
    ['Home', 77, 0],
    ['End', 77, 9999],
    ['a', 77, undefined],
  ])('moves with %s from %d', (key, from, expected) => {
    expect(rowAfterKey(key, from, list)).toBe(expected)
  })

  it('ignores keys in an empty list', () => {
    expect(rowAfterKey('End', 0, { ...list, count: 0 })).toBeUndefined()
  })
})
