import { mean, sum } from '../statistics.ts'

/** A mean and its standard error. */
export interface Estimate {
  readonly mean: number
  readonly error: number
}

/**
 * The mean of values in groups. Values of one group resemble each other, such as the requests for one
 * tool, so each group counts as one draw.
 */
export function estimate(groups: readonly (readonly number[])[]): Estimate {
  const values = groups.flat()
  const centre = mean(values)
  const squares = groups.map((group) => sum(group.map((value) => value - centre)) ** 2)
  return { mean: centre, error: Math.sqrt(sum(squares)) / Math.max(values.length, 1) }
}

/** The mean of independent estimates. */
export function meanEstimate(estimates: readonly Estimate[]): Estimate {
  const error = Math.sqrt(sum(estimates.map((each) => each.error ** 2)))
  return { mean: mean(estimates.map((each) => each.mean)), error: error / estimates.length }
}
