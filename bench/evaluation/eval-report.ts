import type { Comparison, Evaluation, Reliability } from 'toolsearch/evaluation'
import type { SuggestionFigures } from './measure-suggestions.ts'

/** The result of one run, as `--json` prints it. */
export interface EvalReport extends Pick<Evaluation, 'all' | 'kinds' | 'languages'> {
  readonly ranker: string
  readonly tools: number
  /** Relevant names that match no tool. They count as missed. */
  readonly unknownNames: readonly string[]
  /** Empty lists if the search states no confidence. */
  readonly reliability: Reliability
  readonly baseline?: Pick<Evaluation, 'all' | 'kinds'> & {
    readonly ranker: string
    readonly comparison: Comparison
  }
  /** Absent for bare rankers. */
  readonly suggestions?: SuggestionFigures
  readonly worst: readonly WorstQuery[]
  /** A message for each minimum that was missed. */
  readonly failures: readonly string[]
}

export interface WorstQuery {
  readonly query: string
  readonly kind?: string
  /** One list per label; empty if no tool is relevant. */
  readonly expected: readonly (readonly string[])[]
  readonly got: readonly string[]
}
