import { labelsOf, type QueryResult } from 'toolsearch/evaluation'
import type { WorstQuery } from './report.ts'

/** The queries served worst, worst first. What was served perfectly is not among them. */
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

/** Found at all counts most, then how high up. */
function quality({ scores, found }: QueryResult): number {
  if (scores === undefined) return found.length === 0 ? 1 : 0
  return (scores.recallAt5 + scores.recallAt10 + scores.ndcgAt5) / 3
}
