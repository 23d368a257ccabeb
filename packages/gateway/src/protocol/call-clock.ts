/** The time that one request may take. */
export interface CallClock {
  /** The server told that it is at work: it has its whole time again, up to a limit. */
  renew(): void
  /** The time a person takes to answer the server is not the server's. */
  hold(): void
  /** It is the server's turn again, with its whole time, up to the same limit. */
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
  let end = ms === undefined ? 0 : now() + ms * AT_MOST
  let heldAt = 0
  let questions = 0
  let stopped = false

  function start(): void {
    if (ms === undefined || stopped || questions > 0) return
    const left = end - now()
    clearTimeout(timer)
    timer = left > ms ? setTimeout(onLate, ms, ms) : setTimeout(onLate, left, ms * AT_MOST)
  }

  start()
  return {
    renew: start,
    hold() {
      if (questions++ === 0) heldAt = now()
      clearTimeout(timer)
    },
    goOn() {
      if (questions === 0) return
      questions--
      if (questions > 0) return
      end += now() - heldAt
      start()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
