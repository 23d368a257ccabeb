import type { ConfidenceWeights } from './confidence.ts'

/** How keyword matches and semantic similarity are combined. */
export interface HybridWeights {
  /** The weight of keyword matches; semantic similarity has the weight 1. */
  readonly words: number
  /** How much the name and the parameter names count in addition to the whole text of a tool. */
  readonly name: number
  readonly parameters: number
  /**
   * A best keyword score of this multiple of `minConfidentScore` is a clear match, and keywords
   * count in full. Below it, similarity counts for more.
   */
  readonly clearMatch: number
  /** How `Ranking.confidence` is estimated. */
  readonly confidence: ConfidenceWeights
}

/** `confidence` is fitted by `npm run bench -- tune-confidence`. */
export const HYBRID_WEIGHTS: HybridWeights = {
  words: 1.2,
  name: 0.3,
  parameters: 0.2,
  clearMatch: 5,
  confidence: {
    confidence: {
      start: -3.164,
      words: -2.222,
      clarity: 1.269,
      similarity: 3.985,
      lead: 0.7916,
      trust: -1.743,
      top: 3.871,
      margin: 4.242,
      size: -1.046,
      unknownProduct: -0.6602,
    },
    served: {
      start: 0.7459,
      words: -2.664,
      clarity: 0.3742,
      similarity: 0.639,
      lead: 2.742,
      trust: -2.979,
      top: 4.579,
      margin: 2.843,
      size: -1.743,
      unknownProduct: -1.063,
    },
  },
}
