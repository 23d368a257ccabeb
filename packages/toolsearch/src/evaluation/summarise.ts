import type { QueryResult } from './evaluate.ts'
import type { Scores } from './score-query.ts'

/** Figures over many queries. A figure there is nothing to compute from is left out. */
export interface EvaluationSummary {
  readonly queries: number
  /** How many queries some tool serves; `scores` are the means over these. */
  readonly served: number
  readonly scores?: Scores
  /** How many queries nothing serves, and the share of these answered with nothing. */
  readonly unserved: number
  readonly abstained?: number
  /** Of all queries answered with nothing, the share that nothing serves. */
  readonly abstentionPrecision?: number
  /** Milliseconds that half of the searches, and all but one in a hundred, take at most. */
  readonly p50?: number
  readonly p99?: number
}

export function summarise(results: readonly QueryResult[]): EvaluationSummary {
  const scores = results.flatMap((result) => result.scores ?? [])
  const unserved = results.filter((result) => result.scores === undefined)
  const silent = results.filter(isSilent)
  const rightlySilent = unserved.filter(isSilent)
  const times = results.map((result) => result.milliseconds).sort((a, b) => a - b)
  return {
    queries: results.length,
    served: scores.length,
    ...(scores.length > 0 && { scores: meanScores(scores) }),
    unserved: unserved.length,
    ...(unserved.length > 0 && { abstained: rightlySilent.length / unserved.length }),
    ...(silent.length > 0 && { abstentionPrecision: rightlySilent.length / silent.length }),
    ...(times.length > 0 && { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }),
  }
}

function isSilent({ found }: QueryResult): boolean {
  return found.length === 0
}

function meanScores(scores: readonly Scores[]): Scores {
  return {
    recallAt1: mean(scores.map((one) => one.recallAt1)),
    recallAt5: mean(scores.map((one) => one.recallAt5)),
    recallAt10: mean(scores.map((one) => one.recallAt10)),
    ndcgAt5: mean(scores.map((one) => one.ndcgAt5)),
    allIn5: mean(scores.map((one) => one.allIn5)),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length
}

/** The smallest of the numbers that at least this share of them does not exceed. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!
}
