import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { createIndexRanker } from './index-ranker.ts'
import type { Field, Ranker } from './ranker.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './stop-words.ts'
import { type FieldKind, localName, toolFields } from './tool-fields.ts'
import { wordsOf } from './words.ts'

interface FieldWeight {
  /** What a word in this field is worth. */
  readonly weight: number
  /** How many words such a field usually has; in a longer one each counts for less. */
  readonly usual: number
  /** How much less, 0 to 1. */
  readonly b: number
}

const K1 = 1.2
const FIELDS: Record<FieldKind, FieldWeight> = {
  name: { weight: 3, usual: 4, b: 0.3 },
  source: { weight: 1.5, usual: 2, b: 0.3 },
  hint: { weight: 2, usual: 8, b: 0.5 },
  description: { weight: 1, usual: 25, b: 0.5 },
  parameterName: { weight: 0.5, usual: 8, b: 0.5 },
  parameterDescription: { weight: 0.3, usual: 50, b: 0.5 },
}

/**
 * The default: BM25 over fields. A word counts by where it stands and by how rare it is, endings
 * do not matter, words of any script are found, and a query that is a tool's name finds that tool.
 */
export function fieldedRanker(): Ranker {
  return createIndexRanker({
    name: 'fielded',
    k1: K1,
    // each field is marked down by its own usual length instead
    b: 0,
    idealWeight: FIELDS.name.weight,
    read: (tool) => ({ weights: weigh(tool), length: 0 }),
    terms: queryTerms,
    nameKeys: (tool) => [...new Set([tool.name, localName(tool)].map(nameKey))].filter(Boolean),
    queryKey: (query) => nameKey(query.text),
    shares: shareOut,
  })
}

function weigh(tool: Tool): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { term, weight } of weighedTerms(tool)) {
    weights.set(term, (weights.get(term) ?? 0) + weight)
  }
  return weights
}

function* weighedTerms(tool: Tool): Generator<{ term: string; field: Field; weight: number }> {
  for (const { field, kind, text } of toolFields(tool)) {
    if (text === '') continue
    const terms = [...fieldTerms(text)]
    const { weight, usual, b } = FIELDS[kind]
    const each = weight / (1 - b + (b * terms.length) / usual)
    for (const term of terms) yield { term, field, weight: each }
  }
}

function* fieldTerms(text: string): Generator<string> {
  for (const { whole, pieces } of wordsOf(text)) {
    if (!STOP_WORDS.has(whole)) yield stem(whole)
    for (const piece of pieces) if (!STOP_WORDS.has(piece)) yield stem(piece)
  }
}

function queryTerms(query: WordsQuery, isKnown: (term: string) => boolean): string[] {
  const terms = new Set<string>()
  for (const { whole, pieces } of wordsOf(query.text)) {
    if (STOP_WORDS.has(whole)) continue
    // a name written as in the catalogue says it best; its pieces would only bring in others
    if (pieces.length === 0 || isKnown(stem(whole))) terms.add(stem(whole))
    else for (const piece of pieces) if (!STOP_WORDS.has(piece)) terms.add(stem(piece))
  }
  return [...terms]
}

function nameKey(text: string): string {
  const terms: string[] = []
  for (const { whole, pieces } of wordsOf(text)) {
    terms.push(...(pieces.length > 0 ? pieces : [whole]).map(stem))
  }
  return terms.join(' ')
}

function shareOut(tool: Tool, term: string): { field: Field; weight: number }[] {
  const byField = new Map<Field, number>()
  let total = 0
  for (const one of weighedTerms(tool)) {
    if (one.term !== term) continue
    byField.set(one.field, (byField.get(one.field) ?? 0) + one.weight)
    total += one.weight
  }
  return [...byField].map(([field, weight]) => ({ field, weight: weight / total }))
}
