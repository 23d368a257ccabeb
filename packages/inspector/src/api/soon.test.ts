import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSoon } from './soon.ts'

describe('createSoon', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('does a burst as two: the first at once, the rest together', () => {
    const act = vi.fn()
    const soon = createSoon(act, 100)
    for (let time = 0; time < 9; time++) soon.ask()
    expect(act).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100)
    expect(act).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(1000)
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('does nothing after the end', () => {
    const act = vi.fn()
    const soon = createSoon(act, 100)
    soon.ask()
    soon.ask()
    soon.end()
    vi.advanceTimersByTime(1000)
    expect(act).toHaveBeenCalledTimes(1)
  })
})
