import { describe, expect, it } from 'vitest'
import { createNameKeys } from './name-keys.ts'

describe('createNameKeys', () => {
  it('finds all slots with a key until they are deleted', () => {
    const keys = createNameKeys()
    const names = [['send', 'mail'], ['send', 'mail'], ['send'], ['send', 'mail']]
    for (const [slot, key] of names.entries()) keys.add(key, slot)
    const find = (...key: string[]) => keys.find(key, (slot) => names[slot])
    expect(find('send', 'mail')).toEqual([0, 1, 3])
    expect(find('send')).toEqual([2])
    expect(find('mail')).toEqual([])
    expect(find()).toEqual([])
    for (const slot of [0, 3, 2]) keys.delete(names[slot]!, slot)
    expect(find('send', 'mail')).toEqual([1])
    expect(find('send')).toEqual([])
    keys.delete(names[1]!, 1)
    expect(find('send', 'mail')).toEqual([])
  })

  it('does not confuse keys that have the same hash', () => {
    const keys = createNameKeys()
    keys.add(['send'], 0)
    expect(keys.find(['send'], () => ['other'])).toEqual([])
  })
})
