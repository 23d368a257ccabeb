/** Returns how long one call takes, in milliseconds. */
export function time(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Collects garbage before a measurement, so that none is collected during it. */
export function collectGarbage(): void {
  if (!globalThis.gc)
    throw new Error('Run node with --expose-gc, as `npm run bench -- speed` does.')
  globalThis.gc()
}
