/** Runs the tasks of one key one at a time, in the order in which they were added. */
export type KeyedQueue = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/** Forgets a key as soon as its last task has settled. A task that fails does not stop the next one. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const result = (last.get(key) ?? Promise.resolve()).then(task)
    const settled = result
      .catch(() => {})
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return result
  }
}
