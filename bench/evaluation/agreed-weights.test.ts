import { expect, it } from 'vitest'
import { agreedWeights, changedWeights } from './agreed-weights.ts'

const current = { both: 1, opposite: 1, one: 1, inner: { both: 10 } }
const first = { both: 1.4, opposite: 0.7, one: 2, inner: { both: 5 } }
const second = { both: 1.96, opposite: 1.4, one: 1, inner: { both: 7 } }

it('takes the smaller step where both choices agree on the direction', () => {
  const agreed = agreedWeights(current, [first, second])
  expect(agreed).toEqual({ both: 1.4, opposite: 1, one: 1, inner: { both: 7 } })
  expect(agreedWeights(current, [second, first])).toEqual(agreed)
})

it('lists the weights that differ', () => {
  expect(changedWeights(current, first)).toEqual([
    'both 1 → 1.4',
    'opposite 1 → 0.7',
    'one 1 → 2',
    'inner.both 10 → 5',
  ])
})
