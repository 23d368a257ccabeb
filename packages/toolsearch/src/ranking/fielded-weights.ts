import type { ConfidenceWeights } from './confidence.ts'
import type { FieldKind } from './tool-fields.ts'

/** How much a word counts in a field of a tool. */
export interface FieldWeight {
  readonly weight: number
  /** How many words the field usually has; in a longer text each word counts for less. */
  readonly typicalLength: number
  /** How much less, 0 to 1: BM25's b for this field. */
  readonly b: number
}

export interface FieldedWeights {
  /** BM25's k1: the larger it is, the more a repeated word adds to the score. */
  readonly k1: number
  readonly fields: Readonly<Record<FieldKind, FieldWeight>>
  /** How much a substitute counts relative to the word of the query, 0 to 1. */
  readonly synonym: number
  readonly prefix: number
  readonly typo: number
  /** A best score below this share of the ideal score of one word is treated as a coincidence. */
  readonly doubt: number
  /** The bonus, as a share of the score, for a query with all words of a tool's name. */
  readonly nameCoverage: number
  /** How `Ranking.confidence` is estimated. */
  readonly confidence: ConfidenceWeights
}

/** Tuned by `npm run bench -- tune` on public tool lists, with leave-one-out validation. */
export const FIELDED_WEIGHTS: FieldedWeights = {
  k1: 0.84,
  fields: {
    name: { weight: 3, typicalLength: 4, b: 0.3 },
    source: { weight: 1.44, typicalLength: 2, b: 0.9 },
    hint: { weight: 2, typicalLength: 8, b: 0.5 },
    description: { weight: 1, typicalLength: 25, b: 0.5 },
    parameterName: { weight: 0.7, typicalLength: 8, b: 0.5 },
    parameterDescription: { weight: 0.21, typicalLength: 50, b: 0.7 },
  },
  synonym: 0.59,
  prefix: 0.69,
  typo: 0.5,
  doubt: 0.6,
  nameCoverage: 0.42,
  confidence: {
    confidence: {
      start: -4.358,
      words: 2.275,
      clarity: 4.351,
      similarity: 0,
      lead: 0,
      trust: 0,
      top: -1.097,
      margin: 2.612,
      size: -0.3023,
      unknownProduct: -0.8885,
    },
    served: {
      start: -1.465,
      words: 1.939,
      clarity: 2.527,
      similarity: 0,
      lead: 0,
      trust: 0,
      top: -1.386,
      margin: 1.368,
      size: -0.5462,
      unknownProduct: -1.062,
    },
  },
}
