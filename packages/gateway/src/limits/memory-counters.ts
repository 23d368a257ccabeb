import type { LimitCounters } from './limit-counters.ts'

/** Counters of a single process. */
export async function createMemoryCounters(): Promise<LimitCounters> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  const limiters = new Map<number, InstanceType<typeof RateLimiterMemory>>()
  const places = new Map<string, number>()

  function limiterFor(periodSeconds: number) {
    const known = limiters.get(periodSeconds)
    if (known) return known
    const limiter = new RateLimiterMemory({
      points: Number.MAX_SAFE_INTEGER,
      duration: periodSeconds,
    })
    limiters.set(periodSeconds, limiter)
    return limiter
  }

  return {
    async add(key, amount, periodSeconds) {
      const { consumedPoints, msBeforeNext } = await limiterFor(periodSeconds).penalty(key, amount)
      return { total: consumedPoints, resetMs: msBeforeNext }
    },
    async enter(key, max) {
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
    close() {
      limiters.clear()
      places.clear()
    },
  }
}
