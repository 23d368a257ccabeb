import type { Tool } from '../../catalogue/tool.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

const EXACT_NAME = 100
const IN_NAME = 3
const IN_DESCRIPTION = 1

/** everruns as described: one point for each query term found anywhere in name or description. */
export function termCountRanker(): Ranker {
  return createScanRanker({
    name: 'term-count',
    read: readCard,
    score: (query, card) =>
      query.terms.flatMap((term) => place(term, card, { name: 1, description: 1 }) ?? []),
  })
}

/**
 * everruns today: a term in the name counts three, in the description one, and a query that is a
 * tool's whole name puts that tool out of reach of any other. Meant to be used with a score band.
 */
export function weightedTermsRanker(): Ranker {
  return createScanRanker({
    name: 'weighted-terms',
    read: readCard,
    score(query, card) {
      const weights = { name: IN_NAME, description: IN_DESCRIPTION }
      const parts = query.terms.flatMap((term) => place(term, card, weights) ?? [])
      if (query.name.toLowerCase() === card.name) {
        parts.push({ term: query.name, field: 'name', match: 'exact', weight: EXACT_NAME })
      }
      return parts
    },
  })
}

interface Card {
  readonly name: string
  readonly description: string
}

function readCard(tool: Tool): Card {
  return { name: tool.name.toLowerCase(), description: tool.description.toLowerCase() }
}

function place(
  term: string,
  card: Card,
  weights: { name: number; description: number },
): ScorePart | undefined {
  for (const field of ['name', 'description'] as const) {
    if (card[field].includes(term))
      return { term, field, match: 'contains', weight: weights[field] }
  }
  return undefined
}
