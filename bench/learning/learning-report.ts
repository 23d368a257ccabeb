/** How much learning from use helps on one set, with one ranker. R@5 from 0 to 100. */
export interface LearnedSet {
  readonly set: string
  readonly ranker: string
  readonly tools: number
  /** Requests that were used before the measurement, and those that were measured. */
  readonly used: number
  readonly measured: number
  readonly without: number
  readonly learned: number
  /** Learned only from searches that returned the tool. */
  readonly foundOnly: number
  /** Learned, after one person has made wrong choices. */
  readonly attacked: number
  /** Whether the weights were chosen with this set in view. */
  readonly isInView: boolean
}

export interface LearningReport {
  readonly date: string
  readonly people: number
  readonly wrongChoices: number
  readonly repetitions: number
  readonly sets: readonly LearnedSet[]
}
