import type { CancelSignal } from '../protocol/cancellation.ts'

export interface Cancellable {
  readonly signal: CancelSignal
  readonly cancelledError: () => Error
}

/** Settles like the promise, but rejects after `ms` milliseconds or when the caller cancels. */
export function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  timeoutError: () => Error,
  cancellable?: Cancellable,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), ms)
    const onAbort = () => reject(cancellable?.cancelledError())
    if (cancellable?.signal.aborted) onAbort()
    cancellable?.signal.addEventListener('abort', onAbort, { once: true })
    const cleanUp = () => {
      clearTimeout(timer)
      cancellable?.signal.removeEventListener('abort', onAbort)
    }
    promise.then(resolve, reject).finally(cleanUp)
  })
}
