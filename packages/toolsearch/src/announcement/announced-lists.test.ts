import { describe, expect, it } from 'vitest'
import { createAnnouncedLists } from './announced-lists.ts'

const list = (id: string, names: readonly string[] = []) => ({
  text: `text of ${id}`,
  names,
  textDigest: `${id} text`,
  namesDigest: `${id} names`,
})

describe('createAnnouncedLists', () => {
  it('finds lists by the digest of their text or of their names', () => {
    const lists = createAnnouncedLists()
    lists.remember(list('a', ['x']))
    lists.remember({ ...list('b', ['x']), namesDigest: 'a names' })
    expect(lists.withText('a text')?.text).toBe('text of a')
    expect(lists.withText('b text')?.text).toBe('text of b')
    expect(lists.withNames('a names')?.names).toEqual(['x'])
    expect(lists.withText('a names')).toBeUndefined()
  })

  it('drops the least recently used lists when they are too long together', () => {
    const names = Array.from({ length: 100 }, (_, index) => `tool_${index}`)
    const lists = createAnnouncedLists(3_600)
    for (const id of ['a', 'b', 'c']) lists.remember(list(id, names))
    lists.withText('a text')
    lists.remember(list('d', names))
    expect(lists.withText('a text')).toBeDefined()
    expect(lists.withText('b text')).toBeUndefined()
    expect(lists.withText('d text')).toBeDefined()
  })

  it('keeps the newest list, however long it is', () => {
    const lists = createAnnouncedLists(1)
    lists.remember(list('a'))
    lists.remember(list('b', ['x', 'y', 'z']))
    expect(lists.withText('a text')).toBeUndefined()
    expect(lists.withText('b text')).toBeDefined()
  })
})
