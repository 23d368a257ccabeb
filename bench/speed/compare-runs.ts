import { median } from '../statistics.ts'

/** How one engine compares with another, over all processes that measured both. */
export interface Comparison {
  /** The median of the ratios within each process: below 1, the first engine needs less. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
  /** Whether the processes differ so much that the ratio says little. */
  readonly isUnsure: boolean
}

/** A difference between the lowest and the highest ratio of more than this share of the median. */
const MAX_SPREAD = 0.25

/** Undefined if one of the engines has no values. */
export function compareRuns(
  ours: readonly number[] | undefined,
  theirs: readonly number[] | undefined,
): Comparison | undefined {
  if (!ours?.length || ours.length !== theirs?.length) return undefined
  const ratios = ours.map((value, at) => value / theirs[at]!)
  const ratio = median(ratios)
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)]
  return { ratio, lowest, highest, isUnsure: highest - lowest > MAX_SPREAD * ratio }
}
