import { ToolSearchError } from '../tool-search-error.ts'
import type { Evaluation, QueryResult } from './evaluate.ts'
import { labelsOf } from './evaluation-set.ts'
import type { Scores } from './score-query.ts'
import { seededRandom } from './seeded-random.ts'

export interface CompareOptions {
  /** @default 'recallAt5' */
  measure?: keyof Scores
  /**
   * Number of bootstrap samples.
   * @default 2_000
   */
  draws?: number
  /**
   * The same seed results in the same interval on every machine.
   * @default 1
   */
  seed?: number
}

/** How much better the candidate is than the baseline. Negative values mean worse. */
export interface Comparison {
  readonly measure: keyof Scores
  /** Number of compared queries: those with relevant tools. */
  readonly queries: number
  /** Number of queries with a better score in the candidate. */
  readonly better: number
  /** Number of queries with a worse score in the candidate. */
  readonly worse: number
  /** The mean of candidate minus baseline. */
  readonly difference: number
  /** The 95% confidence interval of the mean. If it contains 0, the difference may be chance. */
  readonly interval: { readonly from: number; readonly to: number }
}

/** The two evaluations do not contain the same queries in the same order. */
export class DifferentQueriesError extends ToolSearchError {
  override readonly name = 'DifferentQueriesError'
  readonly code = 'different_queries'

  constructor(problem: string) {
    super(`${problem} Only evaluations of the same queries in the same order can be compared.`)
  }
}

/** Compares two evaluations with a paired bootstrap. @throws DifferentQueriesError */
export function compareEvaluations(
  baseline: Pick<Evaluation, 'results'>,
  candidate: Pick<Evaluation, 'results'>,
  { measure = 'recallAt5', draws = 2_000, seed = 1 }: CompareOptions = {},
): Comparison {
  checkSameQueries(baseline.results, candidate.results)
  const differences = candidate.results.flatMap(({ scores }, at) =>
    scores ? scores[measure] - baseline.results[at]!.scores![measure] : [],
  )
  return {
    measure,
    queries: differences.length,
    better: differences.filter((difference) => difference > 0).length,
    worse: differences.filter((difference) => difference < 0).length,
    difference: mean(differences),
    interval: bootstrap(differences, draws, seededRandom(seed)),
  }
}

function checkSameQueries(before: readonly QueryResult[], after: readonly QueryResult[]): void {
  if (before.length !== after.length) {
    throw new DifferentQueriesError(
      `Number of queries: ${before.length} in the baseline, ${after.length} in the candidate.`,
    )
  }
  for (const [at, { query }] of before.entries()) {
    const candidate = after[at]!.query
    if (query.query !== candidate.query) {
      throw new DifferentQueriesError(
        `Query ${at + 1} is ${JSON.stringify(query.query)} in the baseline ` +
          `and ${JSON.stringify(candidate.query)} in the candidate.`,
      )
    }
    if (labelText(query) !== labelText(candidate)) {
      throw new DifferentQueriesError(
        `Query ${at + 1}, ${JSON.stringify(query.query)}, has different relevant tools in the candidate.`,
      )
    }
  }
}

function labelText(query: QueryResult['query']): string {
  return JSON.stringify(labelsOf(query).map((label) => [...label]))
}

function bootstrap(
  differences: readonly number[],
  draws: number,
  random: () => number,
): Comparison['interval'] {
  const count = differences.length
  const means = Array.from({ length: draws }, () => {
    let total = 0
    for (let i = 0; i < count; i++) total += differences[Math.floor(random() * count)]!
    return count === 0 ? 0 : total / count
  }).sort((a, b) => a - b)
  const cut = Math.floor(draws * 0.025)
  return { from: means[cut] ?? 0, to: means[draws - 1 - cut] ?? 0 }
}

function mean(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0
  return numbers.reduce((total, number) => total + number, 0) / numbers.length
}
