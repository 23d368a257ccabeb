import { expect, it } from 'vitest'
import { heldOutGain } from './held-out-gain.ts'

const repeat = (count: number, value: number) => Array.from({ length: count }, () => value)
const small = { weight: 1, before: [0, 0], after: [1, 1] }
const large = {
  weight: 1,
  before: [...repeat(50, 1), ...repeat(50, 0)],
  after: [...repeat(40, 1), ...repeat(60, 0)],
}

it('weighs sets, not queries', () => {
  const gain = heldOutGain([small, large])
  expect(gain.before).toBeCloseTo(0.25, 12)
  expect(gain.after).toBeCloseTo(0.7, 12)
  expect(gain.difference).toBeCloseTo(0.45, 12)
  expect(heldOutGain([{ ...small, weight: 3 }, large]).difference).toBeCloseTo(0.725, 12)
})

it('returns an interval around the difference', () => {
  const { difference, from, to } = heldOutGain([large])
  expect(difference).toBeCloseTo(-0.1, 12)
  // 10 of 100 queries lose 1: the standard error is sqrt(0.1 · 0.9 / 100) = 0.03
  expect(from).toBeGreaterThan(-0.1 - 0.03 * 2.5)
  expect(from).toBeLessThan(-0.1 - 0.03 * 1.5)
  expect(to).toBeGreaterThan(-0.1 + 0.03 * 1.5)
  expect(to).toBeLessThan(0)
})

it('finds no difference between equal scores', () => {
  const same = { ...large, after: large.before }
  expect(heldOutGain([same])).toMatchObject({ difference: 0, from: 0, to: 0 })
})
