import { isDoubted, labelsOf, type QueryResult } from 'toolsearch/evaluation'
import type { WorstQuery } from './eval-report.ts'

/** The queries with the worst results, worst first, without those that are perfect. */
export function worstQueries(results: readonly QueryResult[], count: number): WorstQuery[] {
  return results
    .filter((result) => quality(result) < 1)
    .sort((a, b) => quality(a) - quality(b))
    .slice(0, count)
    .map(({ query, found }) => ({
      query: query.query,
      ...(query.kind !== undefined && { kind: query.kind }),
      expected: labelsOf(query).map((label) => [...label]),
      got: found.slice(0, 5),
    }))
}

/**
 * 1 if perfect. Finding a tool at all counts more than its rank. Without a relevant tool, a result is
 * perfect if the search doubts it.
 */
function quality(result: QueryResult): number {
  const { scores } = result
  if (scores === undefined) return isDoubted(result) ? 1 : 0
  return (scores.recallAt5 + scores.recallAt10 + scores.ndcgAt5) / 3
}
