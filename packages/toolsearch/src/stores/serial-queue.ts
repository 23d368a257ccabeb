export type SerialQueue = <Result>(key: string, step: () => Promise<Result>) => Promise<Result>

/** Runs the steps of each key one after another. A step that fails does not stop later ones. */
export function createSerialQueue(): SerialQueue {
  const lastSteps = new Map<string, Promise<unknown>>()
  return (key, step) => {
    const result = (lastSteps.get(key) ?? Promise.resolve()).then(step, step)
    const settled = result.catch(() => {})
    lastSteps.set(key, settled)
    void settled.then(() => lastSteps.get(key) === settled && lastSteps.delete(key))
    return result
  }
}
