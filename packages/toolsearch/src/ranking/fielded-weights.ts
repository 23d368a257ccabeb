import type { FieldKind } from './tool-fields.ts'

/** What a word is worth in a field of a tool. */
interface FieldWeight {
  readonly weight: number
  /** How many words such a field usually has; in a longer one each counts for less. */
  readonly usual: number
  /** How much less, 0 to 1. */
  readonly b: number
}

export interface FieldedWeights {
  /** How soon more of the same word stops counting. */
  readonly k1: number
  readonly fields: Readonly<Record<FieldKind, FieldWeight>>
  /** What stands in for a word of the query is worth this much of it. */
  readonly synonym: number
  readonly prefix: number
  readonly typo: number
  /** A best hit worth less than this share of one word of the query is a coincidence. */
  readonly doubt: number
  /** What a tool gains when the query has its whole name. */
  readonly nameCoverage: number
}

/** Chosen by `npm run tune` on public tool lists, each of them left out once to check. */
export const FIELDED_WEIGHTS: FieldedWeights = {
  k1: 0.84,
  fields: {
    name: { weight: 3, usual: 4, b: 0.3 },
    source: { weight: 1.44, usual: 2, b: 0.9 },
    hint: { weight: 2, usual: 8, b: 0.5 },
    description: { weight: 1, usual: 25, b: 0.5 },
    parameterName: { weight: 0.7, usual: 8, b: 0.5 },
    parameterDescription: { weight: 0.21, usual: 50, b: 0.7 },
  },
  synonym: 0.59,
  prefix: 0.69,
  typo: 0.5,
  doubt: 0.6,
  nameCoverage: 0.42,
}
