import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallClock } from './call-clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the clock of a call', () => {
  it('is late when nothing was heard for its time', () => {
    const onLate = vi.fn()
    const clock = createCallClock(100, onLate)
    vi.advanceTimersByTime(90)
    clock.renew()
    vi.advanceTimersByTime(90)
    expect(onLate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10)
    expect(onLate.mock.calls).toEqual([[100]])
  })

  it('is late in the end, whatever was heard', () => {
    const onLate = vi.fn()
    const clock = createCallClock(100, onLate)
    for (let times = 0; times < 19; times++) {
      vi.advanceTimersByTime(50)
      clock.renew()
    }
    expect(onLate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(onLate.mock.calls).toEqual([[1_000]])
  })

  it('stands still while there are questions, and begins anew with the last answer', () => {
    const onLate = vi.fn()
    const clock = createCallClock(100, onLate)
    clock.hold()
    clock.hold()
    clock.goOn()
    clock.renew()
    vi.advanceTimersByTime(5_000)
    expect(onLate).not.toHaveBeenCalled()
    clock.goOn()
    vi.advanceTimersByTime(100)
    expect(onLate.mock.calls).toEqual([[100]])
  })

  it('is late in the end, whatever was asked', () => {
    const onLate = vi.fn()
    const clock = createCallClock(100, onLate)
    for (let times = 0; times < 19; times++) {
      vi.advanceTimersByTime(50)
      clock.hold()
      vi.advanceTimersByTime(500)
      clock.goOn()
    }
    expect(onLate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(onLate.mock.calls).toEqual([[1_000]])
  })

  it('is never late once it was stopped, or without a time', () => {
    const onLate = vi.fn()
    const clock = createCallClock(100, onLate)
    clock.stop()
    clock.renew()
    clock.goOn()
    createCallClock(undefined, onLate).renew()
    vi.advanceTimersByTime(5_000)
    expect(onLate).not.toHaveBeenCalled()
  })
})
