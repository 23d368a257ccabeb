import { describe, expect, it } from 'vitest'
import { FIELDED_WEIGHTS } from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { HYBRID_WEIGHTS } from '../../packages/toolsearch/src/ranking/hybrid-weights.ts'
import { weightKnobs } from './weight-knobs.ts'

const weights = { words: 2, fields: { name: { weight: 0, b: 0.9 } }, doubt: { threshold: 1 } }
const names = (knobs: readonly { name: string }[]) => knobs.map(({ name }) => name)

describe('weightKnobs', () => {
  it('finds every number, except those that decide about doubt', () => {
    expect(names(weightKnobs(weights))).toEqual(['words', 'fields.name.weight', 'fields.name.b'])
  })

  it('changes one number by a factor and leaves the rest', () => {
    const [words, weight, b] = weightKnobs(weights)
    expect(words!.steps(weights)).toEqual([
      { ...weights, words: 1.4 },
      { ...weights, words: 2.8 },
    ])
    expect(weight!.steps(weights).map(({ fields }) => fields.name)).toEqual([
      { weight: 0.1, b: 0.9 },
    ])
    expect(b!.steps(weights).map(({ fields }) => fields.name.b)).toEqual([0.63, 1])
    expect(weights.fields.name.b).toBe(0.9)
  })

  it('takes only the given paths, also those it leaves out by default', () => {
    const only = ['fields', 'doubt.threshold']
    expect(names(weightKnobs(weights, only))).toEqual([
      'fields.name.weight',
      'fields.name.b',
      'doubt.threshold',
    ])
    expect(() => weightKnobs(weights, ['word'])).toThrow(
      'There is no weight "word". The weights are words, fields.name.weight,',
    )
  })

  it('covers the weights of both rankers', () => {
    expect(names(weightKnobs(FIELDED_WEIGHTS))).toContain('fields.parameterDescription.weight')
    expect(names(weightKnobs(HYBRID_WEIGHTS))).toContain('words')
  })
})
