/** How long one call takes, in milliseconds. */
export function time(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** The value below which a share of all values lies; `quantile(values, 0.5)` is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
