import type { QueryResult } from './evaluate.ts'
import type { Confidence } from './evaluated-search.ts'

/** Whether the confidence of a search means what it says. */
export interface Reliability {
  /** One row per level that occurs, from high to low. */
  readonly levels: readonly (ReliabilityRow & { readonly confidence: Confidence })[]
  /** One row per tenth of the stated probability that occurs, from high to low. */
  readonly tenths: readonly (ReliabilityRow & { readonly from: number; readonly to: number })[]
}

export interface ReliabilityRow {
  readonly queries: number
  /** How many of them have no relevant tool, so that no result is right. */
  readonly unserved: number
  /** The mean of the stated probabilities, if the search states them. */
  readonly stated?: number
  /** The share of queries with a relevant tool among the first five. */
  readonly right: number
}

type Judged = Pick<QueryResult, 'confidence' | 'probability' | 'scores'>

const LEVELS: readonly Confidence[] = ['high', 'medium', 'low']

/**
 * Compares the stated confidence with how often a relevant tool is among the first five. Skips
 * results without a stated confidence. For a query with several labels, one of them is enough.
 */
export function reliability(results: readonly Judged[]): Reliability {
  return {
    levels: LEVELS.flatMap((confidence) =>
      rowOf(results.filter((result) => result.confidence === confidence)).map((row) => ({
        confidence,
        ...row,
      })),
    ),
    tenths: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].flatMap((tenth) =>
      rowOf(results.filter(({ probability }) => tenthOf(probability) === tenth)).map((row) => ({
        from: tenth / 10,
        to: (tenth + 1) / 10,
        ...row,
      })),
    ),
  }
}

function tenthOf(probability: number | undefined): number | undefined {
  return probability === undefined ? undefined : Math.min(9, Math.floor(probability * 10))
}

/** One row, or none without results. */
function rowOf(results: readonly Judged[]): ReliabilityRow[] {
  if (results.length === 0) return []
  const probabilities = results.flatMap(({ probability }) => probability ?? [])
  return [
    {
      queries: results.length,
      unserved: results.filter(({ scores }) => scores === undefined).length,
      ...(probabilities.length > 0 && { stated: mean(probabilities) }),
      right: results.filter(({ scores }) => scores && scores.recallAt5 > 0).length / results.length,
    },
  ]
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length
}
