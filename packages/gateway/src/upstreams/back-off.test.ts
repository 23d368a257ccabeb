import { describe, expect, it } from 'vitest'
import { backOff } from './back-off.ts'

describe('backOff', () => {
  it('doubles up to a minute', () => {
    const waits = [0, 1, 2, 6, 7, 1_000].map((attempt) => backOff(attempt, () => 1))
    expect(waits).toEqual([500, 1_000, 2_000, 32_000, 60_000, 60_000])
  })

  it('leaves half of it to chance', () => {
    expect(backOff(0, () => 0)).toBe(250)
  })
})
