/** How likeness of meaning and matching words are mixed. */
export interface HybridWeights {
  /** What words count beside meaning. */
  readonly words: number
  /** The likeness below which a best hit that has hardly a word in common is a coincidence. */
  readonly doubt: number
}

export const HYBRID_WEIGHTS: HybridWeights = { words: 1.5, doubt: 0.45 }
