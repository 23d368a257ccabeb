/** The value that the given share of all values is below; `quantile(values, 0.5)` is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return sum(values) / Math.max(values.length, 1)
}
