export type Outcome<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'failure'; readonly error: unknown }

export interface LatestRequest<T> {
  /** Sends a request and aborts the previous one: its answer is ignored even if it still arrives. */
  send(request: (signal: AbortSignal) => Promise<T>): void
  /** Repeats the same request, after the one in progress has been answered. */
  repeat(request: (signal: AbortSignal) => Promise<T>): void
  /** Aborts the request in progress. */
  cancel(): void
  isInProgress(): boolean
}

/** Reports only the outcome of the latest of several requests. */
export function createLatestRequest<T>(onOutcome: (outcome: Outcome<T>) => void): LatestRequest<T> {
  type Request = (signal: AbortSignal) => Promise<T>
  let current: AbortController | undefined
  let next: Request | undefined

  function send(request: Request): void {
    cancel()
    const controller = new AbortController()
    current = controller
    const settle = (outcome: Outcome<T>) => {
      if (current !== controller) return
      current = undefined
      onOutcome(outcome)
      // The callback may have sent another request.
      if (next && !current) send(next)
    }
    request(controller.signal).then(
      (value) => settle({ kind: 'answer', value }),
      (error) => settle({ kind: 'failure', error }),
    )
  }

  function cancel(): void {
    current?.abort()
    current = undefined
    next = undefined
  }

  return {
    send,
    repeat(request) {
      if (current) next = request
      else send(request)
    },
    cancel,
    isInProgress: () => current !== undefined,
  }
}
