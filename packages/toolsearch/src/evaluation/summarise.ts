import type { FoundTools, QueryResult } from './evaluate.ts'
import type { Scores } from './score-query.ts'

/** Figures over many queries. Figures without data are omitted. */
export interface EvaluationSummary {
  readonly queries: number
  /** Number of queries with relevant tools. `scores` are the means over these. */
  readonly served: number
  readonly scores?: Scores
  /** Number of queries without relevant tools. */
  readonly unserved: number
  /** The share of unserved queries with an empty result or low confidence, which is correct. */
  readonly doubted?: number
  /** The share of served queries with an empty result or low confidence. */
  readonly wronglyDoubted?: number
  /** The share of unserved queries among all that are doubted. */
  readonly doubtPrecision?: number
  /** How reliable each level of confidence is. Absent if the search does not say how sure it is. */
  readonly reliability?: Readonly<Partial<Record<FoundTools['confidence'], Reliability>>>
  /** Median and 99th percentile of the search time in milliseconds. */
  readonly p50?: number
  readonly p99?: number
}

export interface Reliability {
  readonly queries: number
  /** The share of these queries with a relevant tool among the first five. */
  readonly right: number
}

/** Whether the result of a query is empty or has low confidence. */
export function isDoubted({
  found,
  confidence,
}: Pick<QueryResult, 'found' | 'confidence'>): boolean {
  return found.length === 0 || confidence === 'low'
}

export function summarise(results: readonly QueryResult[]): EvaluationSummary {
  const scores = results.flatMap((result) => result.scores ?? [])
  const unserved = results.filter((result) => result.scores === undefined)
  const doubted = results.filter(isDoubted)
  const correctly = unserved.filter(isDoubted)
  const reliability = reliabilityOf(results)
  const times = results.map((result) => result.milliseconds).sort((a, b) => a - b)
  return {
    queries: results.length,
    served: scores.length,
    ...(scores.length > 0 && { scores: meanScores(scores) }),
    unserved: unserved.length,
    ...(unserved.length > 0 && { doubted: correctly.length / unserved.length }),
    ...(scores.length > 0 && { wronglyDoubted: (doubted.length - correctly.length) / scores.length }),
    ...(doubted.length > 0 && { doubtPrecision: correctly.length / doubted.length }),
    ...(reliability && { reliability }),
    ...(times.length > 0 && { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }),
  }
}

function reliabilityOf(results: readonly QueryResult[]): EvaluationSummary['reliability'] {
  const levels = (['high', 'medium', 'low'] as const).flatMap((level) => {
    const same = results.filter(({ confidence }) => confidence === level)
    if (same.length === 0) return []
    const right = same.filter(({ scores }) => scores !== undefined && scores.recallAt5 > 0)
    return [[level, { queries: same.length, right: right.length / same.length }] as const]
  })
  return levels.length > 0 ? Object.fromEntries(levels) : undefined
}

function meanScores(scores: readonly Scores[]): Scores {
  return {
    recallAt1: mean(scores.map((score) => score.recallAt1)),
    recallAt5: mean(scores.map((score) => score.recallAt5)),
    recallAt10: mean(scores.map((score) => score.recallAt10)),
    ndcgAt5: mean(scores.map((score) => score.ndcgAt5)),
    allIn5: mean(scores.map((score) => score.allIn5)),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length
}

/** Nearest-rank percentile. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!
}
