import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createThrottle } from './throttle.ts'

describe('createThrottle', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('runs a burst of calls twice: once immediately, once at the end of the interval', () => {
    const run = vi.fn()
    const throttle = createThrottle(run, 100)
    for (let time = 0; time < 9; time++) throttle.call()
    expect(run).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100)
    expect(run).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(1000)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('drops a pending call when it is cancelled', () => {
    const run = vi.fn()
    const throttle = createThrottle(run, 100)
    throttle.call()
    throttle.call()
    throttle.cancel()
    vi.advanceTimersByTime(1000)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
