/** Lets other work run during a long task. */
export interface TimeSlices {
  /** Resolves at once while the current slice lasts, and otherwise after everything that waits has run. */
  next(): Promise<void>
}

/** @param maxMs how long other work waits at most, if `next` is called often enough */
export function timeSlices(maxMs = 10): TimeSlices {
  let start = performance.now()
  return {
    async next() {
      if (performance.now() - start < maxMs) return
      await new Promise((resolve) => setImmediate(resolve))
      start = performance.now()
    },
  }
}
