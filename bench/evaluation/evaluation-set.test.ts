import { expect, it } from 'vitest'
import { unknownNames } from '../data/read-queries.ts'
import { ownSet } from './evaluation-set.ts'

it('has 286 tools and 746 different queries, whose relevant tools all exist', () => {
  const { tools, queries } = ownSet()
  expect(tools).toHaveLength(286)
  expect(new Set(queries.map(({ query }) => query)).size).toBe(746)
  expect(queries).toHaveLength(746)
  expect(unknownNames(queries, tools)).toEqual([])
})
