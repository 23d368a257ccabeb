export type Outcome<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'failure'; readonly error: unknown }

export interface Latest<T> {
  /** Asks, and gives up on what was asked before: its answer is dropped even if it still comes. */
  ask(request: (signal: AbortSignal) => Promise<T>): void
  /** The same question once more: what is under way is answered first. */
  askAgain(request: (signal: AbortSignal) => Promise<T>): void
  /** Gives up on what was asked last. */
  end(): void
}

/** Of several questions one after another, only the last is answered. */
export function createLatest<T>(give: (outcome: Outcome<T>) => void): Latest<T> {
  type Request = (signal: AbortSignal) => Promise<T>
  let current: AbortController | undefined
  let next: Request | undefined

  function ask(request: Request): void {
    end()
    const mine = new AbortController()
    current = mine
    const settle = (outcome: Outcome<T>) => {
      if (current !== mine) return
      current = undefined
      give(outcome)
      // who was given the answer may have asked
      if (next && !current) ask(next)
    }
    request(mine.signal).then(
      (value) => settle({ kind: 'answer', value }),
      (error) => settle({ kind: 'failure', error }),
    )
  }

  function end(): void {
    current?.abort()
    current = undefined
    next = undefined
  }

  return {
    ask,
    askAgain(request) {
      if (current) next = request
      else ask(request)
    },
    end,
  }
}
