import { describe, expect, it } from 'vitest'
import { compareRuns } from './compare-runs.ts'

describe('compareRuns', () => {
  it('compares within each process, so a slow process does not change the ratio', () => {
    expect(compareRuns([20, 200, 21], [100, 1_000, 100])).toEqual({
      ratio: 0.2,
      lowest: 0.2,
      highest: 0.21,
      isUnsure: false,
    })
  })

  it('is unsure if the ratios of the processes disagree', () => {
    expect(compareRuns([20, 90, 21], [100, 100, 100])).toMatchObject({
      ratio: 0.21,
      highest: 0.9,
      isUnsure: true,
    })
  })

  it('compares only what the same processes measured', () => {
    expect(compareRuns([20], undefined)).toBeUndefined()
    expect(compareRuns([20], [100, 100])).toBeUndefined()
    expect(compareRuns([], [])).toBeUndefined()
  })
})
