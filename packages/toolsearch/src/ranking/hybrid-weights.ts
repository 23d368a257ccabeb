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
      start: -3.232,
      words: -2.174,
      clarity: 1.427,
      similarity: 4.202,
      lead: 0.4398,
      trust: -1.817,
      top: 3.838,
      margin: 4.068,
      size: -0.8951,
      unknownProduct: -0.8104,
    },
    served: {
      start: 0.7837,
      words: -2.476,
      clarity: 0.4145,
      similarity: 0.5039,
      lead: 2.914,
      trust: -2.829,
      top: 4.17,
      margin: 2.799,
      size: -1.737,
      unknownProduct: -1.075,
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
