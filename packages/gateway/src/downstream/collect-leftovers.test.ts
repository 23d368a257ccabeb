import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectLeftovers } from './collect-leftovers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('collectLeftovers', () => {
  it('collects once, when nothing more was indexed for a while', () => {
    const collect = vi.fn()
    const leftovers = collectLeftovers({ enough: 10, quietMs: 100, collect })
    leftovers.add(8)
    vi.advanceTimersByTime(200)
    leftovers.add(8)
    vi.advanceTimersByTime(60)
    leftovers.add(1)
    vi.advanceTimersByTime(60)
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60)
    expect(collect).toHaveBeenCalledOnce()
  })

  it('leaves a few tools alone, and all when it is closed', () => {
    const collect = vi.fn()
    const leftovers = collectLeftovers({ enough: 10, quietMs: 100, collect })
    leftovers.add(9)
    vi.advanceTimersByTime(200)
    leftovers.add(9)
    leftovers.close()
    vi.advanceTimersByTime(200)
    expect(collect).not.toHaveBeenCalled()
  })

  it('can collect', () => {
    const leftovers = collectLeftovers({ enough: 1 })
    leftovers.add(1)
    expect(() => vi.advanceTimersByTime(1_000)).not.toThrow()
  })
})
