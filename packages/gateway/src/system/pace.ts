export interface Pace {
  /** Counts things, and returns how long to wait before the next ones, in milliseconds: mostly 0. */
  take(count: number): number
}

const MAX_WAIT_MS = 1_000

/** Limits how many things somebody makes us handle: after a burst of `perSecond`, as many each second. */
export function createPace(perSecond: number, now: () => number = () => performance.now()): Pace {
  let left = perSecond
  let last = now()
  return {
    take(count) {
      const at = now()
      left = Math.min(perSecond, left + ((at - last) * perSecond) / 1_000) - count
      last = at
      if (left >= 0) return 0
      const wait = Math.min(MAX_WAIT_MS, (-left * 1_000) / perSecond)
      left = 0
      last += wait
      return wait
    },
  }
}
