import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPlaceLeases } from './place-leases.ts'

describe('createPlaceLeases', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('uses a place that it has kept for too long and not released yet', async () => {
    let taken = 0
    /** One place, which may be kept. */
    const runScript = async (script: string) => {
      const isEntering = script.includes('ZCARD')
      if (isEntering && taken > 0) return [0, 0]
      taken += isEntering ? 1 : -1
      return [1, 1]
    }
    const places = createPlaceLeases(runScript, { leaseMs: 60_000, keepMs: 400 })
    const first = await places.enter('a', 1)
    vi.advanceTimersByTime(350)
    await first!.leave()
    // Places are released every 100 ms.
    vi.advanceTimersByTime(60)
    const second = await places.enter('a', 1)
    expect(second).toBeDefined()
    expect(await places.enter('a', 1)).toBeUndefined()
    await second!.leave()
    expect(await places.enter('a', 1)).toBeDefined()
    places.close()
  })
})
