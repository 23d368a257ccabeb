import { type Check, complete, number } from '../options/check-option.ts'

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
  readonly doubt: DoubtWeights
}

/** When the best hit of a query is treated as a coincidence. */
export interface DoubtWeights {
  /**
   * How much the lead counts: how much more similar the query is to a tool than to the nearest topic
   * that no tool covers.
   */
  readonly semantics: number
  /**
   * What `semantics` times the lead has to reach if the best keyword score equals
   * `minConfidentScore`. With a better keyword score, less is enough. The larger the threshold, the
   * more often a search finds nothing.
   */
  readonly threshold: number
}

/** `doubt` is tuned by `npm run tune:doubt` on public tool lists. */
export const HYBRID_WEIGHTS: HybridWeights = {
  words: 1.5,
  name: 0.3,
  parameters: 0.2,
  clearMatch: 5,
  doubt: { semantics: 8, threshold: 1 },
}

/** @throws InvalidOptionError if a weight is missing, not a number or unknown */
export const checkHybridWeights: Check = complete({
  words: number(),
  name: number(),
  parameters: number(),
  clearMatch: number(),
  doubt: complete({ semantics: number(), threshold: number() } satisfies Record<
    keyof DoubtWeights,
    Check
  >),
} satisfies Record<keyof HybridWeights, Check>)
