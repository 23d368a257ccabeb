import { expect, it } from 'vitest'
import { pageOf } from './page-of.ts'

/** All items, and the number of items on each page. */
function read<T>(list: readonly T[], size?: number): { items: T[]; pages: number[] } {
  const items: T[] = []
  const pages: number[] = []
  let cursor: string | undefined
  do {
    const page = pageOf(list, cursor, size)
    items.push(...page.items)
    pages.push(page.items.length)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { items, pages }
}

it('a page has at most 1,000 items', () => {
  const list = Array.from({ length: 2_500 }, (_, id) => ({ id }))
  expect(read(list)).toEqual({ items: list, pages: [1_000, 1_000, 500] })
  expect(read([])).toEqual({ items: [], pages: [0] })
})

it('a page of large items has fewer, but at least one', () => {
  const sizes = [900_000, 900_000, 900_000, 3_000_000, 1, 3_000_000]
  const list = sizes.map((size) => ({ text: 'x'.repeat(size) }))
  expect(read(list)).toEqual({ items: list, pages: [2, 1, 1, 1, 1] })
})

it('rejects a cursor that it did not create', () => {
  expect(() => pageOf([1], 'nonsense')).toThrow('Invalid cursor')
})
