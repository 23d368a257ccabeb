import type { Tool } from '../catalogue/tool.ts'
import { readFieldedQuery } from './fielded-query.ts'
import { createFieldedReader, type FieldTerms } from './fielded-reader.ts'
import { FIELDED_WEIGHTS, type FieldedWeights } from './fielded-weights.ts'
import { createIndexRanker } from './index-ranker.ts'
import type { FieldShare } from './index-scheme.ts'
import type { Field, Ranker } from './ranker.ts'
import { ruleRanker } from './rule-ranker.ts'

/**
 * The default: BM25 over fields. The weight of a word depends on its field and on how few tools
 * contain it. Word endings are ignored, and every script works. A query that is a tool's name finds
 * that tool. A word that no tool contains is treated as a prefix or a typing error.
 */
export function fieldedRanker(): Ranker {
  return weightedFieldedRanker(FIELDED_WEIGHTS)
}

/** The fielded ranker with any weights: `npm run bench -- tune` chooses them. */
export function weightedFieldedRanker(weights: FieldedWeights): Ranker {
  // Explained searches come in series that return the same tools: a person types a query, one letter
  // at a time. Reading the text of a tool takes much longer than looking up a few terms.
  const explained = new WeakMap<Tool, SharesByTerm>()
  return ruleRanker(
    createIndexRanker({
      name: 'fielded',
      k1: weights.k1,
      // Each field has its own length penalty instead.
      b: 0,
      idealWeight: weights.fields.name.weight,
      doubt: weights.doubt,
      nameCoverage: weights.nameCoverage,
      confidence: weights.confidence,
      createReader(terms) {
        const reader = createFieldedReader(weights, terms)
        return {
          ...reader,
          readQuery: (query, vocabulary) =>
            readFieldedQuery(query, { vocabulary, weights, reader }),
          fieldShares(tool, terms) {
            const shares = explained.get(tool) ?? fieldShares(reader.fieldsOf(tool))
            explained.set(tool, shares)
            return terms.map((term) => shares.get(term)!)
          },
        }
      },
    }),
  )
}

type SharesByTerm = ReadonlyMap<string, readonly FieldShare[]>

function fieldShares(fields: readonly FieldTerms[]): SharesByTerm {
  const shares = new Map<string, readonly FieldShare[]>()
  const weights = new Map<string, Map<Field, number>>()
  for (const { field, terms, each } of fields) {
    for (const term of terms) {
      const byField = weights.get(term) ?? new Map<Field, number>()
      weights.set(term, byField.set(field, (byField.get(field) ?? 0) + each))
    }
  }
  for (const [term, byField] of weights) {
    let total = 0
    for (const weight of byField.values()) total += weight
    const [only] = byField.keys()
    const several = () => [...byField].map(([field, weight]) => ({ field, share: weight / total }))
    shares.set(term, byField.size === 1 ? oneField(only!) : several())
  }
  return shares
}

const oneFieldShares = new Map<Field, readonly FieldShare[]>()

/** The shares of a term in one field only. Most terms are, so they share these lists. */
function oneField(field: Field): readonly FieldShare[] {
  const shares = oneFieldShares.get(field) ?? [{ field, share: 1 }]
  oneFieldShares.set(field, shares)
  return shares
}
