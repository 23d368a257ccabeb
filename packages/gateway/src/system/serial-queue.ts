/** Runs tasks one at a time, in the order in which they were added. */
export interface SerialQueue {
  /** Settles with the task's own result. A task that fails does not stop the ones after it. */
  run<Result>(task: () => Result | Promise<Result>): Promise<Result>
  /** Resolves when every task added so far has settled. Never rejects. */
  idle(): Promise<void>
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task)
      last = result.catch(() => {})
      return result
    },
    async idle() {
      await last
    },
  }
}
