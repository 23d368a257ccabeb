import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import { compareHits } from '../../ranking/compare-hits.ts'
import { hasRequiredTerms, type RequiredScope } from '../../ranking/has-required-terms.ts'
import { rankAccepted } from '../../ranking/rank-accepted.ts'
import type { Ranking, TieBreak } from '../../ranking/ranker.ts'
import { STOP_WORDS } from '../../words/stop-words.ts'
import { type Confidence, confidenceOf } from '../confidence.ts'
import { describeRules } from '../describe-rules.ts'
import { byWeight } from '../explain-tool.ts'
import type { NamedTools } from '../named-tools.ts'
import { isNewHit, type SearchHit } from '../search-outcome.ts'
import { explainRanked } from './explain-ranked.ts'
import type { Finder, FinderRequest, Found } from './finder.ts'
import { type EagerTools, isSearched, limitHits, omittedFrom, toHit } from './hits.ts'

export interface ByWordsOptions {
  readonly ties: TieBreak
  readonly eager: EagerTools
  /** Where the required words of a query must occur. */
  readonly requiredIn: RequiredScope
  /**
   * Whether tools that the query names are found whatever their rank. Distinctive names come first, in
   * the order of the query. A tool that is named with ordinary words keeps its rank.
   */
  readonly names?: boolean
}

const NO_NAMES: NamedTools = {
  distinctive: [],
  plain: [],
  phrases: new Set(),
  isOnlyNames: false,
  words: new Set(),
}

/** How many tools after the candidates a suggested query is made of. */
const MAX_NEXT = 20

/** Ranks the tools. If no match is sure, the best ones are candidates. */
export function byWords(options: ByWordsOptions): Finder {
  return (request, view) => {
    const { query } = request
    return query.kind === 'words' ? findByWords(query, request, view, options) : undefined
  }
}

function findByWords(
  query: WordsQuery,
  request: FinderRequest,
  view: Parameters<Finder>[1],
  { ties, eager, requiredIn, names = false }: ByWordsOptions,
): Found {
  const { limit, selection, explain = false, nearMisses } = request
  const { loadsCandidates = false, ranksAll = false } = request
  const named = names ? request.named() : NO_NAMES
  const first = named.distinctive.filter(allowsNamed)
  const plain = named.plain.filter((tool) => isSearched(tool, view, eager) && allowsNamed(tool))
  const needed = limit + first.length + (eager === 'add' ? view.eager() : 0)
  const isFiltered = eager === 'skip' || query.required.length > 0
  const extra = ranksAll ? Number.POSITIVE_INFINITY : (nearMisses ?? 0)
  const accepts = isFiltered ? isAccepted : view.isVisible
  const ranking = rankAccepted(view.ranker(), query, {
    limit: needed + Math.max(extra, MAX_NEXT),
    ties,
    sure: selection.confidence.sure,
    ...(accepts && { accepts }),
    ...(view.isVisible && { isVisible: view.isVisible }),
    ...((explain || extra > 0) && { explain: true }),
  })
  const scored = ranking.hits.slice(0, needed)
  const confidence = judge()
  const isNamed = first.length > 0 || plain.some((tool) => named.phrases.has(tool))
  const isDoubtful = confidence === 'low' && !isNamed
  const hits = isDoubtful
    ? chooseHits([], scored.map(hitOf))
    : chooseHits(first, confidence === 'low' ? [] : withinBand().map(hitOf))
  const explained = explain ? hits.map(withParts) : hits
  const returns = !isDoubtful || loadsCandidates
  const candidates = returns ? [] : explained.map(toCandidate)
  const omitted = omittedFrom([...named.distinctive, ...plain], hits)
  return {
    form: 'words',
    hits: returns ? explained : [],
    candidates,
    confidence: first.length > 0 ? 'high' : confidence,
    omitted,
    ...(explain && ranking.rules && { rules: describeRules(ranking.rules) }),
    ...(!returns && hits.length >= limit && { next: after(hits) }),
    others,
    explain: (tool, hits) =>
      explainRanked(tool, {
        ...{ hits, candidates, omitted, query, ranking, limit, selection },
        isSearched: isSearched(tool, view, eager),
        hasRequired: hasRequiredTerms(tool, query.required, requiredIn),
      }),
  }

  function isAccepted(tool: Tool): boolean {
    return (
      (view.isVisible?.(tool) ?? true) &&
      isSearched(tool, view, eager) &&
      hasRequiredTerms(tool, query.required, requiredIn)
    )
  }

  /** A required word that is the name of another tool does not rule out this one. */
  function allowsNamed(tool: Tool): boolean {
    const others = query.required.filter((word) => !named.words.has(word))
    return hasRequiredTerms(tool, others, requiredIn)
  }

  /** Every tool resembles "the" a little, so what a query of such words finds is a coincidence. */
  function judge(): Confidence {
    const thresholds = selection.confidence
    const saysNothing = query.terms.every((term) => STOP_WORDS.has(term))
    return saysNothing && thresholds.doubtful > 0 ? 'low' : confidenceOf(ranking, thresholds)
  }

  function withinBand(): Ranking['hits'] {
    const least = selection.band * (scored[0]?.score ?? 0)
    return scored.filter(
      ({ tool, score, isBestForNeed }) =>
        (isBestForNeed || score >= least) && !first.includes(tool),
    )
  }

  /**
   * Cuts to the limit. Tools named by an ordinary word have precedence over all ranked hits but the
   * best one; they come last unless they are ranked themselves.
   */
  function chooseHits(first: readonly Tool[], ranked: readonly SearchHit[]): SearchHit[] {
    const named = first.map((tool) => hitOf({ tool }))
    const unranked = plain
      .filter((tool) => !ranked.some((hit) => hit.tool === tool))
      .map((tool) => hitOf({ tool }))
    const wanted = [...ranked.filter(({ tool }) => plain.includes(tool)), ...unranked]
    const precedence = new Set([...named, ...ranked.slice(0, 1), ...wanted, ...ranked])
    const chosen = new Set(limitHits([...precedence], limit, eager))
    return [...named, ...ranked, ...unranked].filter((hit) => chosen.has(hit))
  }

  function after(shown: readonly SearchHit[]): readonly Tool[] {
    const tools = new Set(shown.map(({ tool }) => tool))
    const best = ranking.hits.slice(0, shown.length + MAX_NEXT)
    return best.map(({ tool }) => tool).filter((tool) => !tools.has(tool))
  }

  function others(shown: ReadonlySet<Tool>, count: number): readonly Tool[] {
    // Tools that the search has filtered out can be near misses too.
    const ranked = [...ranking.hits, ...(ranking.rejected ?? [])].sort(compareHits(ties))
    const tools = new Set([...named.distinctive, ...ranked.map(({ tool }) => tool)])
    return [...tools].filter((tool) => !shown.has(tool)).slice(0, count)
  }

  function hitOf(scored: { tool: Tool; score?: number }): SearchHit {
    return toHit(view, scored)
  }

  function withParts(hit: SearchHit): SearchHit {
    if (hit.score === undefined) return hit
    return { ...hit, parts: byWeight(ranking.explain?.(hit.tool.name) ?? []) }
  }
}

function toCandidate(hit: SearchHit): SearchHit {
  return isNewHit(hit) ? { ...hit, status: 'candidate' } : hit
}
