/** How likeness of meaning and matching words are mixed. */
export interface HybridWeights {
  /** What words count beside meaning. */
  readonly words: number
  /** What the name and the parameter names count once more beside the whole text of a tool. */
  readonly name: number
  readonly parameters: number
  /** The likeness below which a best hit that has hardly a word in common is a coincidence. */
  readonly doubt: number
}

export const HYBRID_WEIGHTS: HybridWeights = {
  words: 1.2,
  name: 0.3,
  parameters: 0.2,
  doubt: 0.4,
}
