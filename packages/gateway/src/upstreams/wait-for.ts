import type { CancelSignal } from '../protocol/cancellation.ts'

export interface Cancellable {
  readonly signal: CancelSignal
  readonly cancelled: () => Error
}

/** Waits for a promise no longer than that, and no longer than the caller does. */
export function waitFor<T>(
  promise: Promise<T>,
  ms: number,
  tooLate: () => Error,
  cancellable?: Cancellable,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), ms)
    const onAbort = () => reject(cancellable?.cancelled())
    if (cancellable?.signal.aborted) onAbort()
    cancellable?.signal.addEventListener('abort', onAbort, { once: true })
    const done = () => {
      clearTimeout(timer)
      cancellable?.signal.removeEventListener('abort', onAbort)
    }
    promise.then(resolve, reject).finally(done)
  })
}
