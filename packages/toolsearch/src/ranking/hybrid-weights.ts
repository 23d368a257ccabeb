import { type Check, complete, number } from '../options/check-option.ts'
import { type ConfidenceWeights, checkConfidenceWeights } from './confidence.ts'

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

/** `confidence` is fitted by `npm run tune:confidence`. */
export const HYBRID_WEIGHTS: HybridWeights = {
  words: 1.2,
  name: 0.3,
  parameters: 0.2,
  clearMatch: 5,
  confidence: {
    confidence: {
      start: 0,
      words: 0,
      clarity: 0,
      similarity: 0,
      lead: 0,
      trust: 0,
      top: 0,
      margin: 0,
      size: 0,
      unknownProduct: 0,
    },
    served: {
      start: 0,
      words: 0,
      clarity: 0,
      similarity: 0,
      lead: 0,
      trust: 0,
      top: 0,
      margin: 0,
      size: 0,
      unknownProduct: 0,
    },
  },
}

/** @throws InvalidOptionError if a weight is missing, not a number or unknown */
export const checkHybridWeights: Check = complete({
  words: number(),
  name: number(),
  parameters: number(),
  clearMatch: number(),
  confidence: checkConfidenceWeights,
} satisfies Record<keyof HybridWeights, Check>)
