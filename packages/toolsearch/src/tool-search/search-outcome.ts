import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { ScorePart } from '../ranking/ranker.ts'
import type { Confidence } from './confidence.ts'
import type { ToolExplanation } from './explain-tool.ts'

/** The result of a search as data. A result format turns it into text for the model. */
export interface SearchOutcome {
  /** The query as the model wrote it. */
  readonly query: string
  /** How the query was interpreted. */
  readonly form: 'select' | 'name' | 'prefix' | 'words' | 'browse' | 'blank'
  /** Best first. For `select`, in the order of the query. */
  readonly hits: readonly SearchHit[]
  /** How likely it is that the results contain what the query asks for. `low` without hits. */
  readonly confidence: Confidence
  /**
   * The best matches of a doubtful search, best first. They are not hits: none of them is loaded
   * unless it was before, and the model loads those it wants with `select:`.
   */
  readonly candidates: readonly SearchHit[]
  /** A query in the words of the catalogue to try next. Only with candidates, and not with all. */
  readonly suggestion?: string
  /** Names in a `select` query that do not exist. */
  readonly missing: readonly MissingName[]
  /**
   * What the query asks for by name or by prefix but the search left out: names beyond the limit or
   * beyond the cap of `select`, and named tools that lack a required word.
   */
  readonly omitted: OmittedTools
  /** Names that are spelled like the query, if there are neither hits nor candidates. */
  readonly closest: readonly string[]
  /** Servers whose tools could not be searched. */
  readonly notReady: readonly SourceState[]
  /** Number of deferrable tools. */
  readonly deferrable: number
  /** Number of deferrable tools that are not loaded after this search. */
  readonly remaining: number
  /** How many times in a row this search was already run, with nothing changed since. */
  readonly repeats: number
  /** The highest-ranked tools that were not returned, and why. Only if requested. */
  readonly nearMisses?: readonly ToolExplanation[]
  /** One sentence for each rule that changed the ranking. Only with reasons, and if there are any. */
  readonly rules?: readonly string[]
  /** Why no search was run. */
  readonly problem?: SearchProblem
}

export interface SearchHit {
  readonly tool: Tool
  /** Absent if the query contains the tool's name or a prefix of it, or selects the tool. */
  readonly score?: number
  readonly status: HitStatus
  /** The skill that the tool comes along with, if the query did not find the tool itself. */
  readonly skill?: string
  /** What the score consists of, largest weight first. Only present if requested. */
  readonly parts?: readonly ScorePart[]
}

/**
 * - `loaded`: loaded by this search, callable from the next request on
 * - `already-loaded`: loaded by an earlier search
 * - `always-on`: eager, so it is never hidden
 * - `found`: the session loads nothing; the model calls the tool based on the search result
 * - `skill`: not a tool but instructions; the tools it names come along as hits
 * - `candidate`: too doubtful to be loaded
 */
export type HitStatus = 'loaded' | 'already-loaded' | 'always-on' | 'found' | 'skill' | 'candidate'

/** Whether the model learns about the tool from this search. */
export function isNewHit({ status }: Pick<SearchHit, 'status'>): boolean {
  return status === 'loaded' || status === 'found'
}

/** Whether the definitions of the hits say everything there is to say about a search. */
export function hasOnlyNewHits(outcome: SearchOutcome): boolean {
  const { hits, confidence, missing, omitted, notReady, repeats, problem } = outcome
  return (
    hits.length > 0 &&
    hits.every(isNewHit) &&
    confidence !== 'low' &&
    missing.length + omitted.count + notReady.length + repeats === 0 &&
    problem === undefined
  )
}

export interface OmittedTools {
  readonly count: number
  /** In the order of the query. After a prefix: the first 20, sorted. */
  readonly names: readonly string[]
}

interface MissingName {
  readonly name: string
  readonly closest: readonly string[]
}

export interface SearchProblem {
  readonly code: 'blank_query' | 'invalid_arguments' | 'rate_limited'
  readonly message: string
}
