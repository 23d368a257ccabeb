/** The time that one request may take. */
export interface CallClock {
  /** The server told that it is at work: it has its whole time again, up to a limit. */
  renew(): void
  /** The time a person takes to answer the server is not the server's. */
  hold(): void
  /** It is the server's turn again, with its whole time. */
  goOn(): void
  /** For good. */
  stop(): void
}

/** How many times its time a server may take that tells of progress. */
const AT_MOST = 10

/**
 * Starts at once.
 *
 * @param ms as long as it takes if left out
 * @param onLate called once at most, and never after `stop`; gets the time that was not enough
 */
export function createCallClock(
  ms: number | undefined,
  onLate: (ms: number) => void,
  now: () => number = Date.now,
): CallClock {
  let timer: NodeJS.Timeout | undefined
  let end = 0
  let questions = 0
  let stopped = false

  function start(): void {
    if (ms === undefined) return
    end = now() + ms * AT_MOST
    timer = setTimeout(onLate, ms, ms)
  }

  start()
  return {
    renew() {
      if (ms === undefined || stopped || questions > 0) return
      const left = end - now()
      clearTimeout(timer)
      timer = left > ms ? setTimeout(onLate, ms, ms) : setTimeout(onLate, left, ms * AT_MOST)
    },
    hold() {
      questions++
      clearTimeout(timer)
    },
    goOn() {
      questions = Math.max(0, questions - 1)
      if (questions === 0 && !stopped) start()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
