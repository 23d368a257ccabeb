import { expect, it } from 'vitest'
import { seededRandom } from '../../packages/toolsearch/src/evaluation/seeded-random.ts'
import { fitLogistic, predict } from './logistic-regression.ts'

function examples(count: number, probability: (a: number, b: number) => number) {
  const random = seededRandom(7)
  return Array.from({ length: count }, () => {
    const [a, b] = [random() * 10, random() * 0.1]
    return { values: [a, b], isTrue: random() < probability(a, b) }
  })
}

it('finds the coefficients that the data was made with', () => {
  const data = examples(20_000, (a, b) => 1 / (1 + Math.exp(-(-2 + 0.8 * a - 30 * b))))
  const { intercept, coefficients } = fitLogistic(data)
  expect(intercept / -2).toBeCloseTo(1, 1)
  expect(coefficients[0]).toBeCloseTo(0.8, 1)
  expect(coefficients[1]! / -30).toBeCloseTo(1, 1)
})

it('predicts probabilities that match the share of true examples', () => {
  const data = examples(5_000, (a) => (a < 5 ? 0.1 : 0.9))
  const model = fitLogistic(data)
  const mean = data.reduce((sum, { values }) => sum + predict(model, values), 0) / data.length
  expect(mean).toBeCloseTo(data.filter(({ isTrue }) => isTrue).length / data.length, 6)
})

it('stays finite if the examples can be separated, or a value never changes', () => {
  const data = [1, 2, 3, 4].map((value) => ({ values: [value, 5], isTrue: value > 2 }))
  const model = fitLogistic(data)
  expect(model.coefficients[1]).toBe(0)
  expect(predict(model, [4, 5])).toBeGreaterThan(0.7)
  expect(predict(model, [1, 5])).toBeLessThan(0.3)
})

it('ignores the scale of the values', () => {
  const data = examples(500, (a) => a / 10)
  const scaled = data.map(({ values: [a, b], isTrue }) => ({ values: [a! * 1000, b!], isTrue }))
  expect(predict(fitLogistic(scaled), [4000, 0.05])).toBeCloseTo(
    predict(fitLogistic(data), [4, 0.05]),
    6,
  )
})
