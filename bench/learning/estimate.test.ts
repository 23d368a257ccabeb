import { expect, it } from 'vitest'
import { estimate, meanEstimate } from './estimate.ts'

it('estimates the error of a mean like the textbook, if every group has one value', () => {
  const { mean, error } = estimate([[1], [2], [3], [4]])
  expect(mean).toBe(2.5)
  // the standard deviation of these four, divided by the root of four
  expect(error).toBeCloseTo(Math.sqrt(1.25) / 2)
})

it('is less certain if values of a group resemble each other', () => {
  const apart = estimate([[1], [1], [4], [4]])
  const together = estimate([
    [1, 1],
    [4, 4],
  ])
  expect(together.mean).toBe(apart.mean)
  expect(together.error).toBeGreaterThan(apart.error)
})

it('is more certain of the mean of several estimates', () => {
  expect(
    meanEstimate([
      { mean: 1, error: 3 },
      { mean: 3, error: 4 },
    ]),
  ).toEqual({ mean: 2, error: 2.5 })
})
