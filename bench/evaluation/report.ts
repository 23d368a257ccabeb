import type { Comparison, Evaluation } from 'toolsearch/evaluation'

/** All that one run has to say; `--json` prints it as it is. */
export interface Report extends Pick<Evaluation, 'all' | 'kinds'> {
  readonly ranker: string
  readonly tools: number
  /** Tools whose schema had to be mended to take part. */
  readonly mended: number
  /** Names called relevant that no tool has. What they stand for counts as missed. */
  readonly unknownNames: readonly string[]
  readonly baseline?: Pick<Evaluation, 'all' | 'kinds'> & {
    readonly ranker: string
    readonly comparison: Comparison
  }
  readonly worst: readonly WorstQuery[]
  /** Which minimum was missed, in words; empty when the run is good. */
  readonly failures: readonly string[]
}

export interface WorstQuery {
  readonly query: string
  readonly kind?: string
  /** A list for each label; empty where nothing serves the query. */
  readonly expected: readonly (readonly string[])[]
  readonly got: readonly string[]
}
