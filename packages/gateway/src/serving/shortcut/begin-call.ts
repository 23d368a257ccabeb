import type { CallResult } from '../../offering/large-results.ts'
import { createCancellation } from '../../protocol/cancellation.ts'
import type { RequestOptions } from '../../protocol/request-options.ts'
import { decline } from '../../protocol/server-request.ts'

/** A call that was begun without the SDK, which goes on with it if there is more to be told. */
export interface BegunCall {
  /** Settles as the call does. */
  readonly outcome: Promise<CallResult>
  /** From now on this caller hears what is told, first what was told already, and may cancel. */
  goOn(caller: RequestOptions): Promise<CallResult>
  cancel(): void
}

export interface BeginCallOptions {
  readonly run: (options: RequestOptions) => Promise<CallResult>
  readonly wantsProgress: boolean
  /** Something was told, which is kept until somebody goes on with the call. */
  readonly onNews: () => void
}

/** Begins a call whose caller cannot be asked anything. */
export function beginCall({ run, wantsProgress, onNews }: BeginCallOptions): BegunCall {
  const { signal, cancel } = createCancellation()
  let caller: RequestOptions | undefined
  const kept: ((to: RequestOptions) => void)[] = []

  function tell(news: (to: RequestOptions) => void): void {
    if (caller) {
      news(caller)
      return
    }
    kept.push(news)
    // a moment later: a server may tell something before the call is known to have begun
    queueMicrotask(onNews)
  }

  const outcome = run({
    signal,
    onServerRequest: decline,
    onNotification: (...news) => tell((to) => to.onNotification?.(...news)),
    ...(wantsProgress && { onProgress: (progress) => tell((to) => to.onProgress?.(progress)) }),
  })
  return {
    outcome,
    goOn(next) {
      caller = next
      for (const news of kept.splice(0)) news(next)
      if (next.signal?.aborted) cancel()
      next.signal?.addEventListener('abort', cancel, { once: true })
      return outcome
    },
    cancel,
  }
}
