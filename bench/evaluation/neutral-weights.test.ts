import { expect, it } from 'vitest'
import { FIELDED_WEIGHTS } from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { neutralWeights } from './neutral-weights.ts'

it('treats all fields alike and keeps weights without a neutral value', () => {
  const { fields, doubt } = neutralWeights('fielded', FIELDED_WEIGHTS)
  expect(new Set(Object.values(fields).map(({ weight, b }) => `${weight} ${b}`)).size).toBe(1)
  expect(fields.name.typicalLength).toBe(FIELDED_WEIGHTS.fields.name.typicalLength)
  expect(doubt).toBe(FIELDED_WEIGHTS.doubt)
})

it('ignores neutral values of weights that no longer exist', () => {
  expect(neutralWeights('hybrid', { words: 3 })).toEqual({ words: 1 })
})
