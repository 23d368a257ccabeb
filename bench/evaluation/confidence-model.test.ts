import { describe, expect, it } from 'vitest'
import { chooseThresholds, fitConfidence, probabilityOf } from './confidence-model.ts'
import type { Sample } from './confidence-samples.ts'

const base = { set: 's', half: 'one' } as const
const targets = { doubtfulServed: 0.1, right: 0.95 }

function judged(kind: Sample['kind'], isRight: boolean, ...probabilities: number[]) {
  return probabilities.map((right) => ({ sample: { kind, isRight }, right, served: right }))
}

describe('fitConfidence', () => {
  const samples: Sample[] = Array.from({ length: 200 }, (_, at) => ({
    ...base,
    kind: at % 4 === 0 ? 'none' : 'served',
    isRight: at % 4 !== 0,
    features: { clear: at % 4 === 0 ? 0.1 * (at % 3) : 0.5 + 0.1 * (at % 5), constant: 1 },
  }))

  it('returns a coefficient per feature and probabilities between 0 and 1', () => {
    const { right: model } = fitConfidence(samples, targets, 1)
    expect(Object.keys(model.coefficients)).toEqual(['clear', 'constant'])
    expect(probabilityOf(model, { features: { clear: 0.9, constant: 1 } })).toBeGreaterThan(0.9)
    expect(probabilityOf(model, { features: { clear: 0, constant: 1 } })).toBeLessThan(0.2)
  })

  it('fits whether a query is served separately from whether its result is right', () => {
    const misleading = samples.map((sample) => ({ ...sample, isRight: false }))
    const model = fitConfidence(misleading, targets, 1)
    const clear = { features: { clear: 0.9, constant: 1 } }
    expect(probabilityOf(model.right, clear)).toBeLessThan(0.1)
    expect(probabilityOf(model.served, clear)).toBeGreaterThan(0.9)
  })

  it('gives a search without results the probability 0', () => {
    expect(probabilityOf(fitConfidence(samples, targets, 1).right, {})).toBe(0)
  })

  it('rejects a feature that is not finite', () => {
    const broken = { ...samples[0]!, features: { clear: Number.POSITIVE_INFINITY, constant: 1 } }
    expect(() => fitConfidence([...samples, broken], targets, 1)).toThrow(
      'Feature "clear" is Infinity',
    )
  })
})

describe('chooseThresholds', () => {
  const twenty = Array.from({ length: 20 }, (_, at) => 0.8 + at / 100)

  it('doubts at most the given share of served queries', () => {
    const served = judged('served', true, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
    expect(chooseThresholds(served, targets).doubtful).toBe(0.2)
    expect(chooseThresholds(served, { ...targets, doubtfulServed: 0 }).doubtful).toBe(0.1)
  })

  it('is sure as far down as enough results are right', () => {
    const results = [...judged('served', true, ...twenty), ...judged('hidden', false, 0.7, 0.6)]
    const sureFrom = (right: number) => chooseThresholds(results, { doubtfulServed: 0, right }).sure
    expect(sureFrom(0.96)).toBe(0.8)
    expect(sureFrom(0.95)).toBe(0.7)
    const more = [...results, ...judged('served', true, 0.65)]
    expect(chooseThresholds(more, { doubtfulServed: 0, right: 0.95 }).sure).toBe(0.65)
  })

  it('is never sure if too few results are right', () => {
    expect(chooseThresholds(judged('served', false, ...twenty), targets).sure).toBe(1)
    expect(chooseThresholds(judged('served', true, 0.9), targets).sure).toBe(1)
  })
})
