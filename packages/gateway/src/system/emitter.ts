/** Runs listeners when something happens. */
export interface Emitter<Args extends unknown[]> {
  emit(...args: Args): void
  /** A listener that is added while others run gets the same event. Returns a function that unsubscribes. */
  subscribe(listener: (...args: Args) => void): () => void
}

export function createEmitter<Args extends unknown[]>(): Emitter<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    emit(...args) {
      for (const listener of listeners) listener(...args)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
