import { describe, expect, it } from 'vitest'
import { backOff } from './back-off.ts'

describe('backOff', () => {
  it('doubles with each attempt, up to a minute', () => {
    const delays = [0, 1, 2, 6, 7, 1_000].map((attempt) => backOff(attempt, () => 1))
    expect(delays).toEqual([500, 1_000, 2_000, 32_000, 60_000, 60_000])
  })

  it('randomizes half of the delay', () => {
    expect(backOff(0, () => 0)).toBe(250)
  })
})
