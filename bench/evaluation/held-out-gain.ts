import { seededRandom } from '../../packages/toolsearch/src/evaluation/seeded-random.ts'
import { mean, quantile, sum } from '../statistics.ts'

/** The scores of the same queries before and after a change. */
export interface PairedScores {
  /** How much the set counts. */
  readonly weight: number
  readonly before: readonly number[]
  readonly after: readonly number[]
}

export interface Gain {
  /** Weighted means over the sets, each of which is a mean over its queries. */
  readonly before: number
  readonly after: number
  readonly difference: number
  /** The 95 % interval of the difference. If it contains 0, the difference may be chance. */
  readonly from: number
  readonly to: number
}

const DRAWS = 2_000

/** Compares scores with a paired bootstrap that draws the queries of each set separately. */
export function heldOutGain(sets: readonly PairedScores[]): Gain {
  const weights = sum(sets.map(({ weight }) => weight))
  const weighted = (values: readonly number[]) =>
    sum(values.map((value, at) => value * sets[at]!.weight)) / weights
  const differences = sets.map(({ before, after }) => after.map((score, at) => score - before[at]!))
  const random = seededRandom(1)
  const draws = Array.from({ length: DRAWS }, () =>
    weighted(differences.map((of) => resampledMean(of, random))),
  )
  return {
    before: weighted(sets.map(({ before }) => mean(before))),
    after: weighted(sets.map(({ after }) => mean(after))),
    difference: weighted(differences.map(mean)),
    from: quantile(draws, 0.025),
    to: quantile(draws, 0.975),
  }
}

function resampledMean(values: readonly number[], random: () => number): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[Math.floor(random() * values.length)]!
  return total / values.length
}
