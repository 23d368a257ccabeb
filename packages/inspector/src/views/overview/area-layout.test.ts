import { describe, expect, it } from 'vitest'
import { layoutAreas } from './area-layout.ts'

describe('layoutAreas', () => {
  it.each([
    ['little', 500, 900],
    ['a quarter', 5_000, 900],
    ['everything', 20_000, 900],
    ['little, on a phone', 500, 320],
    ['more than half, on a phone', 12_000, 320],
  ])('uses the same scale for both areas if %s is listed', (_, listed, width) => {
    const eager = 20_000
    const { eagerWidth, listedWidth, listedHeight } = layoutAreas({ eager, listed }, width, 380)
    const scale = (eagerWidth * 380) / eager
    const shown = (listedWidth * listedHeight) / scale
    // Sides are whole pixels.
    expect(Math.abs(shown - listed) / listed).toBeLessThan(0.02)
    expect(eagerWidth).toBeLessThanOrEqual(width)
    expect(listedWidth).toBeLessThanOrEqual(width)
  })

  it('keeps a tiny area visible', () => {
    const { listedWidth, listedHeight } = layoutAreas({ eager: 9e6, listed: 500 }, 900, 380)
    expect(Math.min(listedWidth, listedHeight)).toBeGreaterThanOrEqual(3)
  })
})
