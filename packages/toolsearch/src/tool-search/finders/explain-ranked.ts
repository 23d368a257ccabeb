import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranking, ScorePart } from '../../ranking/ranker.ts'
import { confidenceOf } from '../confidence.ts'
import { byWeight, explanation, type ToolExplanation, type Verdict } from '../explain-tool.ts'
import type { Selection } from '../search-behaviour.ts'
import type { OmittedTools, SearchHit } from '../search-outcome.ts'

export interface RankedSearch {
  readonly hits: readonly SearchHit[]
  readonly candidates: readonly SearchHit[]
  readonly omitted: OmittedTools
  readonly query: WordsQuery
  /** If the tool has a score, the ranking must contain it. */
  readonly ranking: Ranking
  readonly limit: number
  readonly selection: Selection
  /** Whether the search looks at this tool at all, and whether the tool has the required words. */
  readonly isSearched: boolean
  readonly hasRequired: boolean
}

/** Explains what a search by words made of a visible tool. */
export function explainRanked(tool: Tool, search: RankedSearch): ToolExplanation {
  const { name } = tool
  const { query, ranking, limit, selection } = search
  const say = (verdict: Verdict, text: string, details?: Partial<ToolExplanation>) =>
    explanation(name, verdict, text, details)
  const hit = search.hits.find((candidate) => candidate.tool === tool)
  const isByName = hit !== undefined && hit.score === undefined
  if (!isByName && !search.hasRequired) {
    const required = query.required.map((word) => `+${word}`).join(' ')
    const text = `${name} does not contain every required word: ${required}`
    return say('lacks-required', text)
  }
  if (!isByName && !search.isSearched) {
    return say('not-searched', `${name} is always on, so searches leave it out`)
  }

  const isOmitted = search.omitted.names.includes(name)
  const byName = `${name} was returned because the query contains its name`
  const beyondLimit = `The query contains the name of ${name}, but the limit is ${limit}`
  const { hits, total = hits.length, closerTopic } = ranking
  const isCandidate = search.candidates.some((candidate) => candidate.tool === tool)
  const topic = closerTopic === undefined ? '' : `; the query is closer to "${closerTopic}"`
  const asCandidate = `No sure match${topic}. ${name} is a candidate and was not loaded`
  const at = hits.findIndex((hit) => hit.tool === tool)
  if (at < 0) {
    if (isCandidate) return say('doubtful', asCandidate)
    if (isByName) return say('returned', byName)
    if (isOmitted) return say('below-limit', beyondLimit)
    return say('no-match', `${name} has nothing in common with the query`)
  }
  const details = {
    rank: at + 1,
    score: hits[at]!.score,
    best: hits[0]!.score,
    parts: byWeight(ranking.explain?.(name) ?? []),
  }
  const position = `rank ${details.rank} of ${total}, score ${round(details.score)}`
  const reason = details.parts.length > 0 ? `${position}: ${summarise(details.parts)}` : position
  if (isByName) return say('returned', `${byName} (${reason})`, details)
  if (hit) return say('returned', `${name} was returned (${reason})`, details)
  if (isOmitted) return say('below-limit', `${beyondLimit} (${reason})`, details)
  if (isCandidate) return say('doubtful', `${asCandidate} (${reason})`, details)
  const isDoubtful = confidenceOf(ranking, selection.confidence) === 'low'
  if (isDoubtful && search.hits.length > 0) {
    const text = `${name} is too doubtful to be returned with the tools that the query names (${reason})`
    return say('doubtful', text, details)
  }
  // candidates are not cut by score
  if (!isDoubtful && details.score < selection.band * details.best) {
    const minimum = round(selection.band * details.best)
    const text = `${name} scored below the minimum of ${minimum}, too far behind the best (${reason})`
    return say('below-band', text, details)
  }
  const text = `${name} ranked below the limit of ${limit} (${reason})`
  return say('below-limit', text, details)
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
