/**
 * Runs a function immediately, then at most once per interval. Calls during the interval are merged
 * into one call at its end, so the last call is never lost.
 */
export function createThrottle(
  run: () => void,
  intervalMs: number,
): { call(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const start = () => {
    isDue = false
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) start()
    }, intervalMs)
    run()
  }
  return {
    call() {
      isDue = true
      if (timer === undefined) start()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
      isDue = false
    },
  }
}
