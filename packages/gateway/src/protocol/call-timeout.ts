/** The timeout of one request. */
export interface CallTimeout {
  /** Restarts the timeout after a sign of progress, up to a total limit. */
  renew(): void
  /** Pauses the timeout while the server waits for an answer from the client. Pauses may nest. */
  pause(): void
  /** Ends a pause and restarts the timeout; the pause does not count toward the total limit. */
  resume(): void
  stop(): void
}

/** A server that reports progress may take this many times the timeout in total. */
const MAX_TIMEOUTS = 10

/**
 * Creates a timeout that starts immediately.
 *
 * @param ms the duration; without it, the request never times out
 * @param onTimeout called at most once, and never after `stop`, with the duration that was exceeded
 */
export function createCallTimeout(
  ms: number | undefined,
  onTimeout: (ms: number) => void,
  now: () => number = Date.now,
): CallTimeout {
  let timer: NodeJS.Timeout | undefined
  let end = ms === undefined ? 0 : now() + ms * MAX_TIMEOUTS
  let pausedAt = 0
  let pauses = 0
  let stopped = false

  function start(): void {
    if (ms === undefined || stopped || pauses > 0) return
    const left = end - now()
    clearTimeout(timer)
    timer =
      left > ms ? setTimeout(onTimeout, ms, ms) : setTimeout(onTimeout, left, ms * MAX_TIMEOUTS)
  }

  start()
  return {
    renew: start,
    pause() {
      if (pauses++ === 0) pausedAt = now()
      clearTimeout(timer)
    },
    resume() {
      if (pauses === 0) return
      pauses--
      if (pauses > 0) return
      end += now() - pausedAt
      start()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
