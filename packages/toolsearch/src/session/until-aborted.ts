/**
 * Resolves like `work`, but rejects with the signal's reason as soon as the signal is aborted. The
 * work goes on until it checks the signal itself.
 */
export async function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    // a long-lived signal must not collect listeners
    signal.removeEventListener('abort', stop!)
  }
}
