import { describe, expect, it } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

describe('createBoundedMap', () => {
  it('drops the oldest entry when it is full', () => {
    const map = createBoundedMap<string, number>(2)
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
    expect(map.has('a')).toBe(false)
    expect([map.get('b'), map.get('c')]).toEqual([1, 2])
  })

  it('counts an entry that is set twice only once, and treats it as the newest', () => {
    const map = createBoundedMap<string, number>(2)
    for (const key of ['a', 'b', 'a', 'c']) map.set(key, 0)
    expect(['a', 'b', 'c'].map(map.has)).toEqual([true, false, true])
  })

  it('drops as many entries as the new one needs, but never the new one', () => {
    const map = createBoundedMap<string, string>(10, (text) => text.length)
    map.set('a', '12345')
    map.set('b', '12345')
    map.set('c', '123456')
    expect(['a', 'b', 'c'].map(map.has)).toEqual([false, false, true])
    map.set('d', '1234567890123')
    expect(['c', 'd'].map(map.has)).toEqual([false, true])
  })
})
