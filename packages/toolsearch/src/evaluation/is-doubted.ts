import type { QueryResult } from './evaluate.ts'

/** Whether a search had low confidence in its result or returned nothing. */
export function isDoubted({
  confidence,
  found,
}: Pick<QueryResult, 'confidence' | 'found'>): boolean {
  return confidence === 'low' || found.length === 0
}
