import type { Ranker } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'
import { trimAlphanumeric } from '../rust-query.ts'
import { matchTerm, readLowercaseText } from './term-count-ranker.ts'

const WEIGHTS = { name: 3, description: 1 }
const EXACT_NAME_BONUS = 100

/**
 * The later ranker of everruns: a term scores three points in the name and one in the description. A query that
 * is a tool's exact name puts that tool far above all others. Intended for use with a score band.
 */
export function weightedTermsRanker(): Ranker {
  return createScanRanker({
    name: 'weighted-terms',
    read: readLowercaseText,
    score(query, text) {
      const parts = query.terms.flatMap((term) => matchTerm(term, text, WEIGHTS) ?? [])
      const name = trimAlphanumeric(query.name)
      if (name.toLowerCase() === text.name) {
        parts.push({ term: name, field: 'name', match: 'exact', weight: EXACT_NAME_BONUS })
      }
      return parts
    },
  })
}
