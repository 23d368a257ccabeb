import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { readFieldedQuery } from './fielded-query.ts'
import { createFieldedReader } from './fielded-reader.ts'
import { FIELDED_WEIGHTS } from './fielded-weights.ts'
import type { QueryWord } from './index-scheme.ts'
import { createTermTable } from './term-table.ts'

/** A term of a tool as the fielded ranker indexes it. */
export interface ToolTerm {
  readonly term: string
  /** How much the term says about the tool, from 0 to 1: what BM25 makes of its weight. */
  readonly impact: number
}

/** The reader is replaced once it knows this many terms, so that it doesn't grow with the catalogue. */
const MAX_TERMS = 200_000

/** Returns a function that reads the terms of one tool after another. */
export function createTermReader(): (tool: Tool) => readonly ToolTerm[] {
  let table = createTermTable()
  let reader = createFieldedReader(FIELDED_WEIGHTS, table)
  return (tool) => {
    if (table.size() > MAX_TERMS) {
      table = createTermTable()
      reader = createFieldedReader(FIELDED_WEIGHTS, table)
    }
    const { postings } = reader.readTool(tool)
    return Array.from({ length: postings.count }, (_, at) => {
      const weight = Math.abs(postings.weights[at]!)
      return {
        term: table.termOf(postings.terms[at]!),
        impact: weight / (weight + FIELDED_WEIGHTS.k1),
      }
    })
  }
}

/** The words of a query, and the terms of the vocabulary that may stand for each. */
export function readQueryWords(query: WordsQuery, vocabulary: Vocabulary): readonly QueryWord[] {
  const reader = { knownTerm: () => undefined }
  return readFieldedQuery(query, { vocabulary, weights: FIELDED_WEIGHTS, reader }).words
}
