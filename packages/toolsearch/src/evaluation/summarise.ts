import type { QueryResult } from './evaluate.ts'
import { isDoubted } from './is-doubted.ts'
import type { Scores } from './score-query.ts'

/** Figures over many queries. Figures without data are omitted. */
export interface EvaluationSummary {
  readonly queries: number
  /** Number of queries with relevant tools. `scores` are the means over these. */
  readonly served: number
  readonly scores?: Scores
  /** The share of served queries for which the search returned nothing. */
  readonly unanswered?: number
  /** The share of served queries with low confidence or without any result. */
  readonly wronglyDoubted?: number
  /** Number of queries without relevant tools. */
  readonly unserved: number
  /** The share of unserved queries for which the search correctly returned nothing. */
  readonly abstained?: number
  /** The share of unserved queries with low confidence or without any result. */
  readonly doubted?: number
  /** The share of unserved queries among all queries for which the search returned nothing. */
  readonly abstentionPrecision?: number
  /** The share of unserved queries among all queries with low confidence or without any result. */
  readonly doubtPrecision?: number
  /** Median and 99th percentile of the search time in milliseconds. */
  readonly p50?: number
  readonly p99?: number
}

export function summarise(results: readonly QueryResult[]): EvaluationSummary {
  const served = results.filter((result) => result.scores !== undefined)
  const unserved = results.filter((result) => result.scores === undefined)
  const empty = results.filter(isEmpty)
  const doubted = results.filter(isDoubted)
  const times = results.map((result) => result.milliseconds).sort((a, b) => a - b)
  return {
    queries: results.length,
    served: served.length,
    ...(served.length > 0 && {
      scores: meanScores(served.map(({ scores }) => scores!)),
      unanswered: share(served, isEmpty),
      wronglyDoubted: share(served, isDoubted),
    }),
    unserved: unserved.length,
    ...(unserved.length > 0 && {
      abstained: share(unserved, isEmpty),
      doubted: share(unserved, isDoubted),
    }),
    ...(empty.length > 0 && { abstentionPrecision: share(empty, isUnserved) }),
    ...(doubted.length > 0 && { doubtPrecision: share(doubted, isUnserved) }),
    ...(times.length > 0 && { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }),
  }
}

function isEmpty({ found }: QueryResult): boolean {
  return found.length === 0
}

function isUnserved({ scores }: QueryResult): boolean {
  return scores === undefined
}

function share(
  results: readonly QueryResult[],
  isCounted: (result: QueryResult) => boolean,
): number {
  return results.filter(isCounted).length / results.length
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
