import type { QueryResult } from 'toolsearch/evaluation'

/** All the right tools are among the first five; where nothing serves, nothing was found. */
export function isServed({ scores, found }: Pick<QueryResult, 'scores' | 'found'>): boolean {
  return scores ? scores.recallAt5 === 1 : found.length === 0
}
