import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { ConfidenceWeights } from './confidence.ts'
import type { Postings } from './inverted-index.ts'
import type { Field, ScorePart } from './ranker.ts'
import type { TermTable } from './term-table.ts'

/** Which parts of a tool a BM25 ranker indexes, and how it reads a query. */
export interface IndexScheme {
  readonly name: string
  /** BM25's k1: the larger it is, the more a repeated word adds to the score. */
  readonly k1: number
  /** BM25's b, 0 to 1: how much a text that is longer than the average is penalised. */
  readonly b: number
  /** The weight of a word in the best possible place. */
  readonly idealWeight: number
  /** A best score below this share of the ideal score of one word is doubted; 0 to never doubt. */
  readonly doubt: number
  /** The bonus, as a share of the score, for a query with all words of a tool's name; 0 for none. */
  readonly nameCoverage: number
  /** How to estimate the confidence of a ranking. @default no estimate */
  readonly confidence?: ConfidenceWeights
  createReader(terms: TermTable): IndexReader
}

/** Reads tools and queries. It may keep the numbers of terms until `forgetTerms`. */
export interface IndexReader {
  /** The result is valid until the next call. */
  readTool(tool: Tool): IndexedTool
  readQuery(query: WordsQuery, vocabulary: Vocabulary): IndexQuery
  /** The keys of a tool, as `readTool` returns them. */
  keysOf(tool: Tool): readonly (readonly string[])[]
  /** For each term, its distribution over the fields of a tool that contains all of the terms. */
  fieldShares(tool: Tool, terms: readonly string[]): readonly (readonly FieldShare[])[]
  /** Called before numbers of terms change their meaning. */
  forgetTerms(): void
}

/** What the index stores about a tool. */
export interface IndexedTool {
  readonly postings: Postings
  /** The length that `b` refers to. */
  readonly length: number
  /** How many terms of its name are marked in the postings, for the coverage bonus. */
  readonly nameSize: number
  /** The words of the tool's name, normalised. A query that equals an earlier one gets a larger bonus. */
  readonly keys: readonly (readonly string[])[]
}

/** The shares of one term add up to 1. */
export interface FieldShare {
  readonly field: Field
  readonly share: number
}

export interface IndexQuery {
  readonly words: readonly QueryWord[]
  /** Equals one of the `keys` of a tool if the query is that tool's name. */
  readonly key: readonly string[]
  /** The products that the query names but no tool mentions, as the query writes them. */
  readonly unknownProducts?: readonly string[]
}

/** A word of a query with the indexed terms that may stand for it. A tool scores for the best one. */
export interface QueryWord {
  readonly word: string
  /** How much it counts relative to other words, 0 to 1. */
  readonly weight: number
  readonly alternatives: readonly Alternative[]
}

export interface Alternative {
  readonly term: string
  /** How much it counts relative to the word itself, 0 to 1. */
  readonly weight: number
  readonly match: ScorePart['match']
}
