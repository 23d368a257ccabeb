const SECOND_MS = 1_000

/** Runs functions by key: the first one at once, and of those that follow within a second only the last, at its end. */
export function oncePerSecond(): (key: string, run: () => void) => void {
  /** What to run at the end of the second, if there is anything. */
  const next = new Map<string, (() => void) | undefined>()

  function start(key: string, run: () => void): void {
    next.set(key, undefined)
    setTimeout(() => {
      const last = next.get(key)
      next.delete(key)
      if (last) start(key, last)
    }, SECOND_MS).unref()
    run()
  }

  return (key, run) => {
    if (next.has(key)) next.set(key, run)
    else start(key, run)
  }
}
