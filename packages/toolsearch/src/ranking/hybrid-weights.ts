/** How likeness of meaning and matching words are mixed. */
export interface HybridWeights {
  /** What words count beside meaning. */
  readonly words: number
  /** What the name and the parameter names count once more beside the whole text of a tool. */
  readonly name: number
  readonly parameters: number
  /** From this multiple of what could be a coincidence on, words count in full. */
  readonly plain: number
  readonly doubt: DoubtWeights
}

/** When the best hit of a query is held for a coincidence. */
export interface DoubtWeights {
  /** What it is worth to be nearer to the query than any topic that no tool is about. */
  readonly meaning: number
  /** What that has to reach if words alone could be a coincidence; more words may make up for less. */
  readonly least: number
}

/** `doubt` is chosen by `npm run tune:doubt` on public tool lists. */
export const HYBRID_WEIGHTS: HybridWeights = {
  words: 1.5,
  name: 0.3,
  parameters: 0.2,
  plain: 5,
  doubt: { meaning: 8, least: 1 },
}
