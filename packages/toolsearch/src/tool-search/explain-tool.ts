import type { Tool } from '../catalogue/tool.ts'
import { closestNames } from '../ranking/closest-names.ts'
import type { ScorePart } from '../ranking/ranker.ts'
import type { Found } from './finders/finder.ts'
import type { SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

/** Why a search returned a tool, or why it did not. */
export interface ToolExplanation {
  readonly tool: string
  readonly verdict: Verdict
  /** Its rank among all tools with a score, starting at 1. */
  readonly rank?: number
  readonly score?: number
  /** The highest score of any tool. */
  readonly best?: number
  /** What the score consists of, largest weight first. */
  readonly parts: readonly ScorePart[]
  /** The whole explanation as text. */
  readonly text: string
}

/**
 * - `returned`: the search returned the tool
 * - `unknown`: there is no tool with this name
 * - `concealed`: the tool exists, but the caller may not use it
 * - `lacks-required`: the tool does not contain a `+word` of the query
 * - `no-match`: the tool has nothing in common with the query
 * - `below-limit`: enough other tools ranked higher or were named before it
 * - `below-band`: the score is too far below the best score
 * - `doubtful`: no match is sure, so the tool is only a candidate, or was left out next to tools that
 *   the query names
 * - `not-searched`: the query asked for names, or the tool is always on and excluded from search
 */
export type Verdict =
  | 'returned'
  | 'unknown'
  | 'concealed'
  | 'lacks-required'
  | 'no-match'
  | 'below-limit'
  | 'below-band'
  | 'doubtful'
  | 'not-searched'

/** Explains what happened to a visible tool in a search that did not rank. */
export function explainUnranked(
  { name }: Tool,
  { form, hits, omitted }: Pick<Found, 'form' | 'hits' | 'omitted'>,
): ToolExplanation {
  if (hits.some(({ tool }) => tool.name === name)) {
    return explanation(name, 'returned', `The query asks for ${name} by name`)
  }
  return omitted?.names.includes(name)
    ? explanation(name, 'below-limit', `The query asks for ${name}, but for too many tools`)
    : explanation(name, 'not-searched', notRanked[form])
}

/** Explains why a name is not among the tools the caller may use. */
export function explainMissingTool(
  name: string,
  exists: boolean,
  view: SearchView,
): ToolExplanation {
  if (exists) return explanation(name, 'concealed', `The caller is not allowed to use ${name}`)
  const close = closestNames(name, view.tools())
  const hint = close.length > 0 ? `. Similar names: ${close.join(', ')}` : ''
  return explanation(name, 'unknown', `${name} is not in the catalogue${hint}`)
}

const notRanked: Readonly<Record<SearchOutcome['form'], string>> = {
  select: 'The query selects other tools by name',
  name: 'The query consists of the names of other tools',
  prefix: 'The query is a prefix of other tool names',
  words: 'The query was not ranked',
  browse: 'The query is empty, so the search lists the first tools only',
  blank: 'The query is empty',
}

/** Largest weight first. */
export function byWeight(parts: readonly ScorePart[]): readonly ScorePart[] {
  return [...parts].sort((a, b) => b.weight - a.weight)
}

export function explanation(
  tool: string,
  verdict: Verdict,
  text: string,
  details: Partial<ToolExplanation> = {},
): ToolExplanation {
  return { tool, verdict, parts: [], ...details, text: `${text}.` }
}
