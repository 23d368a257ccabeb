export type Outcome<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'failure'; readonly error: unknown }

export interface Latest<T> {
  /** Asks, and gives up on what was asked before: its answer is dropped even if it still comes. */
  ask(request: (signal: AbortSignal) => Promise<T>): void
  /** Gives up on what was asked last. */
  end(): void
}

/** Of several questions one after another, only the last is answered. */
export function createLatest<T>(give: (outcome: Outcome<T>) => void): Latest<T> {
  let current: AbortController | undefined
  return {
    ask(request) {
      current?.abort()
      const mine = new AbortController()
      current = mine
      request(mine.signal).then(
        (value) => current === mine && give({ kind: 'answer', value }),
        (error) => current === mine && give({ kind: 'failure', error }),
      )
    },
    end() {
      current?.abort()
      current = undefined
    },
  }
}
