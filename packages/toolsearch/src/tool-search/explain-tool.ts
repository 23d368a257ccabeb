import type { Tool } from '../catalogue/tool.ts'
import type { Query } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import { rankAccepted } from '../ranking/rank-accepted.ts'
import type { Ranking, ScorePart } from '../ranking/ranker.ts'
import { confidenceOf } from './confidence.ts'
import type { NamedTools } from './named-tools.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
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

/** A finished search and the ranking that explains it. */
export interface SearchTrace {
  readonly outcome: SearchOutcome
  readonly query: Query
  readonly limit: number
  /** The tools whose names the query contains. */
  readonly named: NamedTools
  /** Undefined if the search did not rank, for example because the query asked for names. */
  readonly ranking?: Ranking
}

type Behaviour = Pick<SearchBehaviour, 'syntax' | 'selection'>

/** Explains what happened to a visible tool. If the tool has a score, the ranking must contain it. */
export function explainTool(
  tool: Tool,
  { outcome, query, limit, ranking }: SearchTrace,
  view: SearchView,
  { syntax, selection }: Behaviour,
): ToolExplanation {
  const { name } = tool
  const hit = outcome.hits.find((candidate) => candidate.tool === tool)
  const isOmitted = outcome.omitted.names.includes(name)
  if (query.kind !== 'words' || ranking === undefined) {
    if (hit) return explanation(name, 'returned', `The query asks for ${name} by name`)
    return isOmitted
      ? explanation(name, 'below-limit', `The query asks for ${name}, but for too many tools`)
      : explanation(name, 'not-searched', notRanked[outcome.form])
  }
  const isByName = hit !== undefined && hit.score === undefined
  if (!isByName && !hasRequiredTerms(tool, query.required, syntax.requiredScope)) {
    const required = query.required.map((word) => `+${word}`).join(' ')
    return explanation(
      name,
      'lacks-required',
      `${name} does not contain every required word: ${required}`,
    )
  }
  if (!isByName && selection.searched === 'deferrable' && view.status(tool) === 'always-on') {
    return explanation(name, 'not-searched', `${name} is always on, so searches leave it out`)
  }

  const byName = `${name} was returned because the query contains its name`
  const beyondLimit = `The query contains the name of ${name}, but the limit is ${limit}`
  const { hits, total = hits.length, closerTopic } = ranking
  const isCandidate = outcome.candidates.some((candidate) => candidate.tool === tool)
  const topic = closerTopic === undefined ? '' : `; the query is closer to "${closerTopic}"`
  const asCandidate = `No sure match${topic}. ${name} is a candidate and was not loaded`
  const at = hits.findIndex((hit) => hit.tool === tool)
  if (at < 0) {
    if (isCandidate) return explanation(name, 'doubtful', asCandidate)
    if (isByName) return explanation(name, 'returned', byName)
    if (isOmitted) return explanation(name, 'below-limit', beyondLimit)
    return explanation(name, 'no-match', `${name} has nothing in common with the query`)
  }
  const details = {
    rank: at + 1,
    score: hits[at]!.score,
    best: hits[0]!.score,
    parts: byWeight(ranking.explain?.(name) ?? []),
  }
  const position = `rank ${details.rank} of ${total}, score ${round(details.score)}`
  const reason = details.parts.length > 0 ? `${position}: ${summarise(details.parts)}` : position
  if (isByName) return explanation(name, 'returned', `${byName} (${reason})`, details)
  if (hit) return explanation(name, 'returned', `${name} was returned (${reason})`, details)
  if (isOmitted) return explanation(name, 'below-limit', `${beyondLimit} (${reason})`, details)
  if (isCandidate) return explanation(name, 'doubtful', `${asCandidate} (${reason})`, details)
  const isDoubtful = confidenceOf(ranking, selection.confidence) === 'low'
  if (isDoubtful && outcome.hits.length > 0) {
    const text = `${name} is too doubtful to be returned with the tools that the query names (${reason})`
    return explanation(name, 'doubtful', text, details)
  }
  // candidates are not cut by score
  if (!isDoubtful && details.score < selection.band * details.best) {
    const minimum = round(selection.band * details.best)
    const text = `${name} scored below the minimum of ${minimum}, too far behind the best (${reason})`
    return explanation(name, 'below-band', text, details)
  }
  const text = `${name} ranked below the limit of ${limit} (${reason})`
  return explanation(name, 'below-limit', text, details)
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

/** Explains the `count` highest-ranked visible tools that are neither hits nor candidates. */
export function explainNearMisses(
  trace: SearchTrace,
  count: number,
  view: SearchView,
  behaviour: Behaviour,
): ToolExplanation[] {
  const { outcome, ranking, named } = trace
  if (ranking === undefined) return []
  const returned = new Set([...outcome.hits, ...outcome.candidates].map(({ tool }) => tool))
  const ranked = candidates().map(({ tool }) => tool)
  return [...new Set([...named.distinctive, ...ranked])]
    .filter((tool) => !returned.has(tool))
    .slice(0, count)
    .map((tool) => explainTool(tool, trace, view, behaviour))

  // The ranking of the trace lacks tools that the search filtered out. Those can be near misses too,
  // so rank again without the filter.
  function candidates(): Ranking['hits'] {
    const { query } = trace
    const { ties, searched } = behaviour.selection
    if (query.kind !== 'words') return []
    if (query.required.length === 0 && searched === 'visible') return ranking!.hits
    const { isVisible } = view
    const limit = returned.size + count
    return rankAccepted(view.ranker, query, {
      limit,
      ties,
      ...(isVisible && { accepts: isVisible, isVisible }),
    }).hits
  }
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

function explanation(
  tool: string,
  verdict: Verdict,
  text: string,
  details: Partial<ToolExplanation> = {},
): ToolExplanation {
  return { tool, verdict, parts: [], ...details, text: `${text}.` }
}

function summarise(parts: readonly ScorePart[]): string {
  const named = parts.slice(0, 3).map((part) => {
    const { term, found, translatedFrom, field, match, weight } = part
    if (match === 'learned') return `used after ${term} ${round(weight)}`
    const word = translatedFrom === undefined ? `"${term}"` : `"${translatedFrom}" → "${term}"`
    const as = found === undefined || found === term ? '' : ` as "${found}"`
    return `${match} ${word}${as} in ${field} ${round(weight)}`
  })
  const rest = parts.length > 3 ? [`${parts.length - 3} more`] : []
  return [...named, ...rest].join(', ')
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
