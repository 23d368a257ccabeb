import type { AdversaryName } from './adversaries.ts'
import type { Estimate } from './estimate.ts'

/** How much learning from use helps on one set, with one ranker. R@5 and differences from 0 to 100. */
export interface LearnedSet {
  readonly set: string
  readonly ranker: string
  readonly tools: number
  /** Each request is used and measured equally often. */
  readonly requests: number
  readonly without: number
  readonly gain: Estimate
  /** The gain if agents give up when their first search does not return the tool. */
  readonly foundOnly: Estimate
  /** What changes for everybody else when someone makes wrong choices on purpose. */
  readonly attacked: Readonly<Record<AdversaryName, Estimate>>
  readonly high: { readonly before: HighAnswers; readonly after: HighAnswers }
}

/** Searches with high confidence. Shares from 0 to 100. */
export interface HighAnswers {
  /** Of all searches. */
  readonly share: number
  /** Of these, those with a tool that the request needs. */
  readonly right: number
}

/** What a search with a full memory takes, compared with the same search without a memory. */
export interface LearningCost {
  readonly ranker: string
  readonly tools: number
  readonly uses: number
  readonly withoutMs: number
  readonly learnedMs: number
  readonly ratio: number
}

export interface LearningReport {
  readonly date: string
  readonly people: number
  readonly seeds: number
  readonly wrongChoices: number
  readonly repetitions: number
  readonly sets: readonly LearnedSet[]
  readonly costs: readonly LearningCost[]
}
