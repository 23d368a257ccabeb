import { expect, it } from 'vitest'
import { judge } from './confidence-report.ts'
import type { Sample } from './confidence-samples.ts'

/** Both probabilities are 1 / (1 + e^-x). */
const odds = { intercept: 0, coefficients: { x: 1 } }
const model = {
  right: odds,
  served: odds,
  thresholds: { doubtful: 0.3, sure: 0.9 },
}
const sample = (kind: Sample['kind'], isRight: boolean, x?: number): Sample => ({
  set: 's',
  half: 'one',
  kind,
  isRight,
  ...(x !== undefined && { features: { x } }),
})

it('counts what is doubtful and what is sure', () => {
  const { kinds, sure, reliability } = judge(model, [
    sample('served', true, 3),
    sample('served', false, 0),
    sample('served', false),
    sample('hidden', false, -2),
    sample('none', false, 3),
  ])
  expect(kinds).toEqual([
    { kind: 'served', queries: 3, right: 1 / 3, doubtful: 1 / 3 },
    { kind: 'hidden', queries: 1, right: 0, doubtful: 1 },
    { kind: 'none', queries: 1, right: 0, doubtful: 0 },
  ])
  expect(sure).toEqual([
    { threshold: 0.9, queries: 2, share: 0.4, right: 0.5 },
    { threshold: 0.95, queries: 2, share: 0.4, right: 0.5 },
  ])
  expect(
    reliability.tenths.map(({ from, queries, unserved }) => [from, queries, unserved]),
  ).toEqual([
    [0.9, 2, 1],
    [0.5, 1, 0],
    [0.1, 1, 1],
    [0, 1, 0],
  ])
})

it('compares the error with that of always stating the mean', () => {
  const { brier, brierOfMean } = judge(model, [
    sample('served', true, 20),
    sample('served', false, -20),
  ])
  expect(brier).toBeCloseTo(0, 6)
  expect(brierOfMean).toBe(0.25)
})
