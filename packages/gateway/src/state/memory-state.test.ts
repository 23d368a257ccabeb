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
})
