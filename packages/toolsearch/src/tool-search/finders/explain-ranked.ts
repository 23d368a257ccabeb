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

  const { hits, total = hits.length, closerTopic } = ranking
  const at = hits.findIndex((hit) => hit.tool === tool)
  const details = at < 0 ? undefined : detailsOf(name, at, ranking)
  const reason = details ? ` (${reasonOf(details, total)})` : ''
  if (isByName) {
    const text = `${name} was returned because the query contains its name${reason}`
    return say('returned', text, details)
  }
  if (hit) return say('returned', `${name} was returned${reason}`, details)
  if (search.omitted.names.includes(name)) {
    const text = `The query contains the name of ${name}, but the limit is ${limit}${reason}`
    return say('below-limit', text, details)
  }
  if (search.candidates.some((candidate) => candidate.tool === tool)) {
    const topic = closerTopic === undefined ? '' : `; the query is closer to "${closerTopic}"`
    const text = `No sure match${topic}. ${name} is a candidate and was not loaded${reason}`
    return say('doubtful', text, details)
  }
  if (details === undefined) return say('no-match', `${name} has nothing in common with the query`)
  const isDoubtful = confidenceOf(ranking, selection.confidence) === 'low'
  if (isDoubtful && search.hits.length > 0) {
    const text = `${name} is too doubtful to be returned with the tools that the query names${reason}`
    return say('doubtful', text, details)
  }
  // candidates are not cut by score
  if (!isDoubtful && details.score < selection.band * details.best) {
    const minimum = round(selection.band * details.best)
    const text = `${name} scored below the minimum of ${minimum}, too far behind the best${reason}`
    return say('below-band', text, details)
  }
  const text = `${name} ranked below the limit of ${limit}${reason}`
  return say('below-limit', text, details)
}

type Details = Required<Pick<ToolExplanation, 'rank' | 'score' | 'best' | 'parts'>>

function detailsOf(name: string, at: number, { hits, explain }: Ranking): Details {
  const parts = byWeight(explain?.(name) ?? [])
  return { rank: at + 1, score: hits[at]!.score, best: hits[0]!.score, parts }
}

function reasonOf({ rank, score, parts }: Details, total: number): string {
  const position = `rank ${rank} of ${total}, score ${round(score)}`
  return parts.length > 0 ? `${position}: ${summarise(parts)}` : position
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
