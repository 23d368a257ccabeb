import { expect, it } from 'vitest'
import { halfOf } from './own-sets.ts'

const divided = { tools: [], queries: [{ query: '1', relevant: [], half: 'a' as const }] }

it('keeps the queries of one half', () => {
  const more = { query: '2', relevant: [], half: 'b' as const }
  const set = { ...divided, queries: [...divided.queries, more] }
  expect(halfOf(set, 'b').queries).toEqual([more])
})

it('rejects a half without queries', () => {
  expect(() => halfOf(divided, 'b')).toThrow('no queries with "half": "b"')
})
