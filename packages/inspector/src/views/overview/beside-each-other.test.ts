import { describe, expect, it } from 'vitest'
import { besideEachOther } from './beside-each-other.ts'

describe('besideEachOther', () => {
  it.each([
    ['a little', 500, 900],
    ['a quarter', 5_000, 900],
    ['as much', 20_000, 900],
    ['a little, on a phone', 500, 320],
    ['more, on a phone', 12_000, 320],
  ])('keeps to one scale when %s is listed', (_, listed, width) => {
    const eager = 20_000
    const { eagerWidth, listedWidth, listedHeight } = besideEachOther({ eager, listed }, width, 380)
    const scale = (eagerWidth * 380) / eager
    expect((listedWidth * listedHeight) / scale / listed).toBeCloseTo(1, 0)
    expect(eagerWidth).toBeLessThanOrEqual(width)
    expect(listedWidth).toBeLessThanOrEqual(width)
  })

  it('can still be seen when it is next to nothing', () => {
    const { listedWidth, listedHeight } = besideEachOther({ eager: 9e6, listed: 500 }, 900, 380)
    expect(Math.min(listedWidth, listedHeight)).toBeGreaterThanOrEqual(3)
  })
})
