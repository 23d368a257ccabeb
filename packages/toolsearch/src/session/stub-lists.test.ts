import { describe, expect, it } from 'vitest'
import { createStubLists } from './stub-lists.ts'

const list = (name: string) => [{ name, description: '', inputSchema: { type: 'object' } }]

describe('createStubLists', () => {
  it('finds a list by its digest and returns the same object', () => {
    const lists = createStubLists()
    const first = list('a')
    const digest = lists.remember(first)
    expect(lists.remember(list('a'))).toBe(digest)
    expect(lists.find(digest)).toBe(first)
    expect(lists.find(undefined)).toBeUndefined()
  })

  it('keeps the lists used last', () => {
    const lists = createStubLists(2)
    const [a, b] = ['a', 'b'].map((name) => lists.remember(list(name)))
    lists.find(a)
    lists.remember(list('c'))
    expect(lists.find(a)).toBeDefined()
    expect(lists.find(b)).toBeUndefined()
  })
})
