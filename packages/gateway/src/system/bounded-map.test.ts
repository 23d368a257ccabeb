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
    const map = createBoundedMap<string, string>(10, { sizeOf: (text) => text.length })
    map.set('a', '12345')
    map.set('b', '12345')
    map.set('c', '123456')
    expect(['a', 'b', 'c'].map(map.has)).toEqual([false, false, true])
    map.set('d', '1234567890123')
    expect(['c', 'd'].map(map.has)).toEqual([false, true])
  })

  it('drops the oldest entry of the owner who has the most', () => {
    const dropped: string[] = []
    const map = createBoundedMap<string, string>(4, {
      ownerOf: (owner) => owner,
      onDropped: (_, key) => dropped.push(key),
    })
    map.set('a1', 'ann')
    for (const key of ['e1', 'e2', 'e3', 'e4', 'e5']) map.set(key, 'eve')
    expect(dropped).toEqual(['e1', 'e2'])
    expect([map.isFullFor('eve'), map.isFullFor('ann'), map.isFullFor('bob')]).toEqual([
      true,
      false,
      false,
    ])
    map.set('b1', 'bob')
    expect(dropped).toEqual(['e1', 'e2', 'e3'])
    expect(map.delete('e4')).toBe(true)
    expect([...map.entries()].map(([key]) => key)).toEqual(['a1', 'e5', 'b1'])
    expect(map.isFullFor('eve')).toBe(false)
  })

  it('counts what owners have by its size', () => {
    const map = createBoundedMap<string, number>(10, {
      sizeOf: (size) => size,
      ownerOf: (_, key) => key.slice(0, 1),
    })
    for (const key of ['a1', 'a2', 'a3', 'a4']) map.set(key, 1)
    map.set('e1', 6)
    map.set('e2', 4)
    expect([...map.entries()].map(([key]) => key)).toEqual(['a1', 'a2', 'a3', 'a4', 'e2'])
    map.set('e3', 100)
    expect([...map.entries()].map(([key]) => key)).toEqual(['a1', 'a2', 'a3', 'a4', 'e3'])
    map.set('a5', 1)
    expect(map.has('e3')).toBe(false)
  })

  it('looks at no entries of others to find what to drop', () => {
    let looks = 0
    const map = createBoundedMap<string, string>(2_001, {
      ownerOf(owner) {
        looks += 1
        return owner
      },
    })
    for (let at = 0; at < 1_000; at++) map.set(`a${at}`, 'ann')
    for (let at = 0; at < 1_001; at++) map.set(`e${at}`, 'eve')
    looks = 0
    for (let at = 0; at < 100; at++) map.set(`more ${at}`, 'eve')
    expect(looks).toBeLessThanOrEqual(300)
    expect(['a0', 'e99', 'e100'].map(map.has)).toEqual([true, false, true])
  })

  it('keeps busy entries until there are twice as many as there may be', () => {
    const map = createBoundedMap<string, boolean>(2, { isBusy: (busy) => busy })
    for (const key of ['a', 'b', 'c', 'd']) map.set(key, true)
    map.set('idle', false)
    expect([...map.entries()].map(([key]) => key)).toEqual(['b', 'c', 'd', 'idle'])
    map.set('e', true)
    expect(map.has('idle')).toBe(false)
  })
})
