import type { LimitCounters } from './limit-counters.ts'

/** A counter until the end of its period. */
interface Period {
  total: number
  readonly endsAt: number
}

const CLEAN_UP_MS = 60_000

/** Counters of a single process. */
export function createMemoryCounters(): LimitCounters {
  const periods = new Map<string, Period>()
  const places = new Map<string, number>()
  const cleanUp = setInterval(() => {
    for (const [key, { endsAt }] of periods) if (endsAt <= performance.now()) periods.delete(key)
  }, CLEAN_UP_MS).unref()

  function periodOf(key: string, seconds: number, now: number): Period {
    const known = periods.get(key)
    if (known && now < known.endsAt) return known
    const period = { total: 0, endsAt: now + seconds * 1_000 }
    periods.set(key, period)
    return period
  }

  return {
    take(key, { max, periodSeconds }) {
      const now = performance.now()
      const period = periodOf(key, periodSeconds, now)
      if (period.total >= max) return { isTaken: false, resetMs: period.endsAt - now }
      period.total += 1
      return {
        isTaken: true,
        undo() {
          period.total -= 1
        },
      }
    },
    add(key, amount, periodSeconds) {
      const now = performance.now()
      const period = periodOf(key, periodSeconds, now)
      period.total += amount
      return { total: period.total, resetMs: period.endsAt - now }
    },
    enter(key, max) {
      const taken = places.get(key) ?? 0
      if (taken >= max) return undefined
      places.set(key, taken + 1)
      let hasLeft = false
      return {
        async leave() {
          if (hasLeft) return
          hasLeft = true
          const left = (places.get(key) ?? 1) - 1
          if (left > 0) places.set(key, left)
          else places.delete(key)
        },
      }
    },
    close: () => clearInterval(cleanUp),
  }
}
