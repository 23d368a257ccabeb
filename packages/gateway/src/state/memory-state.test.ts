import { describe, expect, it } from 'vitest'
import { createMemoryState } from './memory-state.ts'
import { describeSharedState } from './shared-state.cases.ts'

describe('createMemoryState', () => {
  describeSharedState(async () => {
    const state = createMemoryState()
    return [state, state]
  })

  it('is not shared with other processes', () => {
    expect(createMemoryState().isShared).toBe(false)
  })

  it('drops a value exactly when its time has passed', async () => {
    let now = 0
    const state = createMemoryState({ now: () => now })
    await state.set('a', 'x', 100)
    now = 99
    expect(await state.get('a')).toBe('x')
    expect(await state.touch('a', 100)).toBe(true)
    now = 198
    expect(await state.get('a')).toBe('x')
    now = 199
    expect(await state.get('a')).toBeUndefined()
    expect(await state.touch('a', 100)).toBe(false)
  })

  it('drops the oldest values if it is full, and never the newest', async () => {
    const state = createMemoryState({ capacity: 30 })
    await state.set('a', 'x'.repeat(9), 1_000)
    await state.set('b', 'x'.repeat(9), 1_000)
    await state.touch('a', 1_000)
    await state.set('c', 'x'.repeat(15), 1_000)
    expect(await state.get('b')).toBeUndefined()
    expect(await state.get('a')).toBeDefined()
    await state.set('d', 'x'.repeat(100), 1_000)
    expect(await state.get('d')).toBeDefined()
    expect(await state.get('a')).toBeUndefined()
  })

  it('drops the oldest values of the owner who has the most', async () => {
    const state = createMemoryState({ capacity: 100, ownerOf: (key) => key.slice(0, 1) })
    await state.set('a1', 'x'.repeat(10), 1_000)
    for (const key of ['e1', 'e2', 'e3', 'e4']) await state.set(key, 'x'.repeat(30), 1_000)
    const kept = await Promise.all(['a1', 'e1', 'e2', 'e3', 'e4'].map(state.get))
    expect(kept.map((value) => value !== undefined)).toEqual([true, false, false, true, true])
  })
})
