/** The time that one request may take. */
export interface CallClock {
  /** The time a person takes to answer the server is not the server's. */
  hold(): void
  /** It is the server's turn again, with its whole time. */
  goOn(): void
  /** For good. */
  stop(): void
}

/**
 * Starts at once.
 *
 * @param ms as long as it takes if left out
 * @param onLate called once at most, and never after `stop`
 */
export function createCallClock(ms: number | undefined, onLate: () => void): CallClock {
  let timer: NodeJS.Timeout | undefined
  let questions = 0
  let stopped = false

  function arm(): void {
    if (ms !== undefined) timer = setTimeout(onLate, ms)
  }

  arm()
  return {
    hold() {
      questions++
      clearTimeout(timer)
    },
    goOn() {
      questions = Math.max(0, questions - 1)
      if (questions === 0 && !stopped) arm()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
