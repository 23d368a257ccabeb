/** Counts time, without pauses. */
export interface Clock {
  /** Stops the clock until the returned function is called. Pauses can overlap. */
  pause(): () => void
  stop(): void
}

/** @param onElapsed runs once, after the time has passed */
export function createClock(ms: number, onElapsed: () => void): Clock {
  let remaining = ms
  let pauses = 0
  let since = performance.now()
  let timer: NodeJS.Timeout | undefined = setTimeout(onElapsed, ms)

  return {
    pause() {
      pauses += 1
      if (pauses === 1) {
        clearTimeout(timer)
        remaining -= performance.now() - since
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        pauses -= 1
        if (pauses > 0 || timer === undefined) return
        since = performance.now()
        timer = setTimeout(onElapsed, remaining)
      }
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
