import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallTimeout } from './call-timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createCallTimeout', () => {
  it('expires when it is not renewed in time', () => {
    const onTimeout = vi.fn()
    const timeout = createCallTimeout(100, onTimeout)
    vi.advanceTimersByTime(90)
    timeout.renew()
    vi.advanceTimersByTime(90)
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10)
    expect(onTimeout.mock.calls).toEqual([[100]])
  })

  it('expires after ten times its duration, however often it is renewed', () => {
    const onTimeout = vi.fn()
    const timeout = createCallTimeout(100, onTimeout)
    for (let times = 0; times < 19; times++) {
      vi.advanceTimersByTime(50)
      timeout.renew()
    }
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(onTimeout.mock.calls).toEqual([[1_000]])
  })

  it('does not expire while paused, and restarts when the last pause ends', () => {
    const onTimeout = vi.fn()
    const timeout = createCallTimeout(100, onTimeout)
    timeout.pause()
    timeout.pause()
    timeout.resume()
    timeout.renew()
    vi.advanceTimersByTime(5_000)
    expect(onTimeout).not.toHaveBeenCalled()
    timeout.resume()
    vi.advanceTimersByTime(100)
    expect(onTimeout.mock.calls).toEqual([[100]])
  })

  it('expires after ten times its duration without pauses, however often it is paused', () => {
    const onTimeout = vi.fn()
    const timeout = createCallTimeout(100, onTimeout)
    for (let times = 0; times < 19; times++) {
      vi.advanceTimersByTime(50)
      timeout.pause()
      vi.advanceTimersByTime(500)
      timeout.resume()
    }
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(onTimeout.mock.calls).toEqual([[1_000]])
  })

  it('never expires once it is stopped, or without a duration', () => {
    const onTimeout = vi.fn()
    const timeout = createCallTimeout(100, onTimeout)
    timeout.stop()
    timeout.renew()
    timeout.resume()
    createCallTimeout(undefined, onTimeout).renew()
    vi.advanceTimersByTime(5_000)
    expect(onTimeout).not.toHaveBeenCalled()
  })
})
