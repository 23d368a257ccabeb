import type { IncomingMessage, ServerResponse } from 'node:http'

/** Lets a server finish what it has begun before it ends. */
export interface Drain {
  readonly isDraining: boolean
  /** The number of requests that are being answered. */
  readonly running: number
  /** Takes note of a request until its response has been sent. */
  track(request: IncomingMessage, response: ServerResponse): void
  /** Takes note of a health check, which tells a load balancer whether to send requests. */
  checked(): void
  /**
   * Resolves when all requests have been answered, `alsoFor` has settled, and a load balancer that checks
   * the health has noticed; after `timeoutMs` or when the signal is aborted at the latest.
   */
  start(options: DrainOptions, alsoFor?: Promise<void>): Promise<void>
}

export interface DrainOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** A load balancer checks more often than this. */
const RECENT_MS = 30_000
/** Load balancers check every few seconds. */
const MAX_UNNOTICED_MS = 10_000

export function createDrain(now: () => number = Date.now): Drain {
  const running = new Set<ServerResponse>()
  let isDraining = false
  let lastCheck = Number.NEGATIVE_INFINITY
  let isNoticed = true
  let onProgress = () => {}

  return {
    get isDraining() {
      return isDraining
    },
    get running() {
      return running.size
    },
    track(request, response) {
      // A client that keeps its connection would come back to a server that is about to end.
      if (isDraining) response.setHeader('connection', 'close')
      // Other methods open streams, which last until somebody closes them.
      if (request.method !== 'POST') return
      running.add(response)
      response.once('close', () => {
        running.delete(response)
        onProgress()
      })
    },
    checked() {
      lastCheck = now()
      if (!isDraining) return
      isNoticed = true
      // After this answer has been sent.
      setImmediate(() => onProgress())
    },
    async start({ timeoutMs, signal }, alsoFor = Promise.resolve()) {
      isDraining = true
      let isSettled = false
      const settle = () => {
        isSettled = true
        onProgress()
      }
      alsoFor.then(settle, settle)
      isNoticed = now() - lastCheck > RECENT_MS
      await new Promise<void>((resolve) => {
        const timers = [
          setTimeout(finish, timeoutMs),
          setTimeout(
            () => {
              isNoticed = true
              onProgress()
            },
            Math.min(MAX_UNNOTICED_MS, timeoutMs),
          ),
        ]
        function finish(): void {
          for (const timer of timers) clearTimeout(timer)
          signal?.removeEventListener('abort', finish)
          onProgress = () => {}
          resolve()
        }
        onProgress = () => {
          if (running.size === 0 && isSettled && isNoticed) finish()
        }
        signal?.addEventListener('abort', finish, { once: true })
        if (signal?.aborted) finish()
        else onProgress()
      })
    },
  }
}
