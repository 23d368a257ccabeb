import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { Query, SelectQuery, WordsQuery } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import { rankAccepted } from '../ranking/rank-accepted.ts'
import type { Ranking, ScoredTool, ScorePart } from '../ranking/ranker.ts'
import { byWeight, explainNearMisses, type SearchTrace } from './explain-tool.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchHit, SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

export interface SearchRequest extends SearchReasons {
  readonly query: Query
  /** The query as the model wrote it. */
  readonly text: string
  readonly limit: number
}

/** What a search explains in addition to returning hits. */
export interface SearchReasons {
  /**
   * Whether each hit lists the parts of its score.
   * @default false
   */
  readonly explain?: boolean
  /** Also explain this many near misses: the highest-ranked tools that are not returned. */
  readonly nearMisses?: number
}

type Behaviour = Pick<SearchBehaviour, 'syntax' | 'selection'>

type PartialOutcome = Pick<SearchOutcome, 'form' | 'hits'> & Partial<SearchOutcome>

/** A longer query is a sentence, and sentences do not resemble tool names. */
const MAX_NAME_WORDS = 3
const MAX_NAME_LENGTH = 80
/** Finding similar names takes milliseconds, and a `select:` query can contain thousands of names. */
const MAX_SUGGESTIONS = 20

/** Finds tools without side effects: loading the hits is up to the caller. Never throws. */
export function runSearch(
  request: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
): SearchOutcome {
  const { nearMisses } = request
  if (nearMisses === undefined) return traceSearch(request, view, behaviour, 0).outcome
  // A filtered search finds its near misses in a second ranking without the filter. Explaining one
  // needs its rank among the accepted tools, which can be any, so rank all of them.
  const extra = isFiltered(request.query, behaviour) ? Number.POSITIVE_INFINITY : nearMisses
  const trace = traceSearch(request, view, behaviour, extra)
  return { ...trace.outcome, nearMisses: explainNearMisses(trace, nearMisses, view, behaviour) }
}

/** Runs a search and keeps its ranking, which contains `extra` more tools than the search needs. */
export function traceSearch(
  { query, text, limit, explain = false }: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
  extra: number,
): SearchTrace {
  const { syntax, selection } = behaviour
  let ranking: Ranking | undefined
  const found = search()
  const isEmpty = found.hits.length === 0 && (found.missing ?? []).length === 0
  const outcome: SearchOutcome = {
    query: text,
    missing: [],
    capped: 0,
    abstained: false,
    notReady: view.notReady(),
    deferrable: view.deferrable(),
    remaining: view.remainingAfter(found.hits.map((hit) => hit.tool)),
    repeats: 0,
    ...found,
    closest: isEmpty && query.kind === 'words' ? similarNames(query, found) : [],
  }
  return { outcome, query, limit, ...(ranking && { ranking }) }

  function search(): PartialOutcome {
    if (query.kind === 'select') return select(query)
    const named = byName(query)
    if (named || query.kind === 'blank') return named ?? blank()
    return byPrefix(query) ?? byWords(query)
  }

  function select({ names }: SelectQuery): PartialOutcome {
    const requested = names.slice(0, selection.selectCap)
    const hits = requested.flatMap((name) => view.get(name) ?? []).map((tool) => toHit({ tool }))
    const missing = requested
      .filter((name) => view.get(name) === undefined)
      .map((name, index) => ({
        name,
        closest: index < MAX_SUGGESTIONS ? closestNames(name.slice(0, 128), view.tools()) : [],
      }))
    return { form: 'select', hits, missing, capped: names.length - requested.length }
  }

  function blank(): PartialOutcome {
    if (syntax.blank === 'browse') {
      const hits = view
        .tools()
        .slice(0, limit)
        .map((tool) => toHit({ tool, score: 0 }))
      return { form: 'browse', hits }
    }
    if (syntax.blank === 'empty') return { form: 'blank', hits: [] }
    const message = 'The query cannot be empty. Describe in a few words what the tool should do.'
    return { form: 'blank', hits: [], problem: { code: 'blank_query', message } }
  }

  function byName({
    text,
    name = text,
  }: {
    text: string
    name?: string
  }): PartialOutcome | undefined {
    const tool = syntax.exactName ? (view.get(text) ?? view.get(name)) : undefined
    return tool && { form: 'name', hits: [toHit({ tool })] }
  }

  function byPrefix({ name }: WordsQuery): PartialOutcome | undefined {
    if (syntax.namePrefix === 'never' || /\s/.test(name)) return undefined
    if (syntax.namePrefix === 'qualified' && !name.includes('__')) return undefined
    const tools = view
      .tools()
      .filter((tool) => tool.name.startsWith(name) && isSearched(tool))
      .sort((a, b) => compareNames(a.name, b.name))
    if (tools.length === 0) return undefined
    return { form: 'prefix', hits: tools.slice(0, limit).map((tool) => toHit({ tool })) }
  }

  function byWords(words: WordsQuery): PartialOutcome {
    const { placesForAlwaysOn, ties, band, abstains } = selection
    const alwaysOn = view.tools().length - view.deferrable()
    const candidates = placesForAlwaysOn ? limit : limit + alwaysOn
    const accepts = isFiltered(query, behaviour)
      ? (tool: Tool) =>
          (view.isVisible?.(tool) ?? true) &&
          isSearched(tool) &&
          hasRequiredTerms(tool, words.required, syntax.requiredScope)
      : view.isVisible
    ranking = rankAccepted(view.ranker, words, {
      limit: candidates + extra,
      ties,
      ...(accepts && { accepts }),
      ...((explain || extra > 0) && { explain: true }),
    })
    const { minConfidentScore = 0 } = ranking
    const scored = ranking.hits.slice(0, candidates)
    const best = scored[0]?.score ?? 0
    if (abstains && best < minConfidentScore) {
      const closest = scored.slice(0, 3).map(({ tool }) => tool.name)
      return { form: 'words', hits: [], abstained: scored.length > 0, closest }
    }
    const inBand = scored.filter(({ score }) => score >= band * best).map(toHit)
    const hits = placesForAlwaysOn ? inBand : limitHits(inBand)
    return { form: 'words', hits: explain ? hits.map(withParts) : hits }
  }

  /** Always-on tools keep their rank but do not use up the limit of the others. */
  function limitHits(hits: readonly SearchHit[]): SearchHit[] {
    let others = limit
    let alwaysOn = limit
    return hits.filter(({ status }) => (status === 'always-on' ? alwaysOn-- > 0 : others-- > 0))
  }

  function isSearched(tool: Tool): boolean {
    return selection.searched === 'visible' || view.status(tool) !== 'always-on'
  }

  function toHit({ tool, score }: { tool: Tool } & Partial<ScoredTool>): SearchHit {
    return { tool, ...(score !== undefined && { score }), status: view.status(tool) }
  }

  function withParts(hit: SearchHit): SearchHit {
    const parts: readonly ScorePart[] = ranking?.explain?.(hit.tool.name) ?? []
    return { ...hit, parts: byWeight(parts) }
  }

  function similarNames(
    { name, terms }: WordsQuery,
    { closest = [] }: PartialOutcome,
  ): readonly string[] {
    if (closest.length > 0 || terms.length > MAX_NAME_WORDS || name.length > MAX_NAME_LENGTH) {
      return closest
    }
    return closestNames(name, view.tools())
  }
}

/** Whether a keyword search ranks only some of the tools that the caller may see. */
function isFiltered(query: Query, { selection }: Behaviour): boolean {
  return (
    selection.searched === 'deferrable' || (query.kind === 'words' && query.required.length > 0)
  )
}
