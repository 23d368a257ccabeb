import type { QueryResult } from './evaluate.ts'
import type { Scores } from './score-query.ts'

/** Figures over many queries. Figures without data are omitted. */
export interface EvaluationSummary {
  readonly queries: number
  /** Number of queries with relevant tools. `scores` are the means over these. */
  readonly served: number
  readonly scores?: Scores
  /** Number of queries without relevant tools. */
  readonly unserved: number
  /** The share of unserved queries for which the search correctly returned nothing. */
  readonly abstained?: number
  /** The share of unserved queries among all queries for which the search returned nothing. */
  readonly abstentionPrecision?: number
  /** Median and 99th percentile of the search time in milliseconds. */
  readonly p50?: number
  readonly p99?: number
}

export function summarise(results: readonly QueryResult[]): EvaluationSummary {
  const scores = results.flatMap((result) => result.scores ?? [])
  const unserved = results.filter((result) => result.scores === undefined)
  const empty = results.filter(isEmpty)
  const correctlyEmpty = unserved.filter(isEmpty)
  const times = results.map((result) => result.milliseconds).sort((a, b) => a - b)
  return {
    queries: results.length,
    served: scores.length,
    ...(scores.length > 0 && { scores: meanScores(scores) }),
    unserved: unserved.length,
    ...(unserved.length > 0 && { abstained: correctlyEmpty.length / unserved.length }),
    ...(empty.length > 0 && { abstentionPrecision: correctlyEmpty.length / empty.length }),
    ...(times.length > 0 && { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }),
  }
}

function isEmpty({ found }: QueryResult): boolean {
  return found.length === 0
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
