import { expect, it } from 'vitest'
import { deleteOldest } from './delete-oldest.ts'

it('deletes the entries that were inserted first', () => {
  const map = new Map(['a', 'b', 'c', 'd'].map((key) => [key, 1]))
  deleteOldest(map, 2)
  expect([...map.keys()]).toEqual(['c', 'd'])
  deleteOldest(map, 5)
  expect(map.size).toBe(2)
})
