/** Runs tasks that nobody waits for, in small portions, so that requests are answered in between. */
export type BackgroundQueue = (task: () => void) => void

/** Long enough to get on, and short enough for a request that arrives meanwhile. */
const PORTION_MS = 5

/** Tasks run in the order in which they were added, never immediately. They must not throw. */
export function createBackgroundQueue(): BackgroundQueue {
  let waiting: (() => void)[] = []
  let next = 0

  function run(): void {
    const end = performance.now() + PORTION_MS
    do waiting[next++]!()
    while (next < waiting.length && performance.now() < end)
    if (next < waiting.length) {
      setImmediate(run)
      return
    }
    waiting = []
    next = 0
  }

  return (task) => {
    waiting.push(task)
    if (waiting.length === 1) setImmediate(run)
  }
}
