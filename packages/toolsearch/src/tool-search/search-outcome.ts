import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { ScorePart } from '../ranking/ranker.ts'
import type { ToolExplanation } from './explain-tool.ts'

/** What a search found, as data. A result format turns it into what a model reads. */
export interface SearchOutcome {
  /** As the model wrote it. */
  readonly query: string
  /** How the query was understood. */
  readonly form: 'select' | 'name' | 'prefix' | 'words' | 'browse' | 'blank'
  /** Best first; for `select` in the order asked. */
  readonly hits: readonly SearchHit[]
  /** Names that `select` asked for and that are not there. */
  readonly missing: readonly MissingName[]
  /** Names asked for beyond the cap, which were not looked at. */
  readonly capped: number
  /** When nothing was found: names that come close. */
  readonly closest: readonly string[]
  /** Something matched a little, but not enough to be what was meant. */
  readonly abstained: boolean
  /** Servers whose tools could not be searched. */
  readonly notReady: readonly SourceState[]
  /** How many tools can be deferred, and how many of them are not loaded after this search. */
  readonly deferrable: number
  readonly remaining: number
  /** How often this very search has been made before with nothing changed since. */
  readonly repeats: number
  /** The highest-ranked tools that were not returned, and why. Only if requested. */
  readonly nearMisses?: readonly ToolExplanation[]
  /** Why there was no search. */
  readonly problem?: SearchProblem
}

export interface SearchHit {
  readonly tool: Tool
  /** Only words have scores. */
  readonly score?: number
  readonly status: HitStatus
  /** What the score is made of, largest weight first. Only if requested. */
  readonly parts?: readonly ScorePart[]
}

/**
 * - `loaded`: by this search, callable from the next request on
 * - `already-loaded`: by an earlier one
 * - `always-on`: never hidden
 * - `found`: nothing is loaded here, the result itself is what the model gets
 */
export type HitStatus = 'loaded' | 'already-loaded' | 'always-on' | 'found'

export interface MissingName {
  readonly name: string
  readonly closest: readonly string[]
}

export interface SearchProblem {
  readonly code: 'blank_query' | 'invalid_arguments' | 'rate_limited'
  readonly message: string
}
