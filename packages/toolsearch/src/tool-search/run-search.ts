import type { Tool } from '../catalogue/tool.ts'
import type { Query, SelectQuery, WordsQuery } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import { rankAccepted } from '../ranking/rank-accepted.ts'
import type { Ranking, ScoredTool, ScorePart } from '../ranking/ranker.ts'
import { createTopHits } from '../ranking/top-hits.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordFrequencies } from './catalogue-words.ts'
import { type Confidence, confidenceOf } from './confidence.ts'
import { describeRules } from './describe-rules.ts'
import { byWeight, explainNearMisses, type SearchTrace } from './explain-tool.ts'
import { type NamedTools, namedTools } from './named-tools.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import {
  isNewHit,
  type OmittedTools,
  type SearchHit,
  type SearchOutcome,
} from './search-outcome.ts'
import type { SearchView } from './search-view.ts'
import { suggestQuery } from './suggest-query.ts'

export interface SearchRequest extends SearchReasons {
  readonly query: Query
  /** The query as the model wrote it. */
  readonly text: string
  readonly limit: number
  /**
   * Whether the candidates of a doubtful search become hits.
   * @default false
   */
  readonly loadsCandidates?: boolean
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
/** How many of the tools that did not fit after a prefix are named. */
const MAX_OMITTED = 20

/** How many of the tools that a skill names come along. */
const MAX_SKILL_TOOLS = 20

/** How many tools after the candidates a suggested query is made of. */
const MAX_NEXT = 20

const NO_NAMES: NamedTools = {
  distinctive: [],
  plain: [],
  phrases: new Set(),
  isOnlyNames: false,
  words: new Set(),
}

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
  { query, text, limit, explain = false, loadsCandidates = false }: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
  extra: number,
): SearchTrace {
  const { syntax, selection } = behaviour
  const named =
    syntax.namesInQuery && query.kind === 'words' ? namedTools(query.text, view) : NO_NAMES
  let ranking: Ranking | undefined
  const found = withTools(search())
  const { hits, candidates = [], missing = [] } = found
  const isEmpty = hits.length + candidates.length + missing.length === 0
  const outcome: SearchOutcome = {
    query: text,
    confidence: confidenceIn(found),
    candidates,
    missing: [],
    omitted: omit([]),
    notReady: view.notReady(),
    deferrable: view.deferrable(),
    remaining: view.remainingAfter(hits.map((hit) => hit.tool)),
    repeats: 0,
    ...found,
    closest: isEmpty && limit > 0 && query.kind === 'words' ? similarNames(query) : [],
    ...(explain && ranking?.rules && { rules: describeRules(ranking.rules) }),
  }
  return { outcome, query, limit, named, ...(ranking && { ranking }) }

  /** Tools that a returned skill names come after all other hits, in addition to the limit. */
  function withTools(found: PartialOutcome): PartialOutcome {
    const skills = found.hits.filter(({ status }) => status === 'skill')
    if (skills.length === 0) return found
    const returned = new Set(found.hits.map(({ tool }) => tool))
    const added = skills.flatMap(({ tool: { name: skill, skill: content } }) =>
      content!.tools
        .flatMap((name) => view.get(name) ?? [])
        .filter((tool) => !tool.skill)
        .slice(0, MAX_SKILL_TOOLS)
        .flatMap((tool): SearchHit[] => {
          if (returned.has(tool)) return []
          returned.add(tool)
          return [{ ...toHit({ tool }), skill }]
        }),
    )
    return added.length === 0 ? found : { ...found, hits: [...found.hits, ...added] }
  }

  function search(): PartialOutcome {
    if (query.kind === 'select') return select(query)
    const exact = byName(query)
    if (exact || query.kind === 'blank') return exact ?? blank()
    return byNames() ?? byPrefix(query) ?? byWords(query)
  }

  function select({ names }: SelectQuery): PartialOutcome {
    const requested = names
      .slice(0, selection.selectCap)
      .map((name) => ({ name, tools: selected(name) }))
    const found = new Set(requested.flatMap(({ tools }) => tools))
    const hits = [...found].map((tool) => toHit({ tool }))
    const missing = requested
      .filter(({ tools }) => tools.length === 0)
      .map(({ name }, index) => ({
        name,
        closest: index < MAX_SUGGESTIONS ? closeTo(name.slice(0, 128)) : [],
      }))
    return { form: 'select', hits, missing, omitted: omit(names.slice(selection.selectCap)) }
  }

  /** The tool with exactly this name or, if the preset says so, those that the text names otherwise. */
  function selected(name: string): readonly Tool[] {
    const tool = view.get(name)
    if (tool) return [tool]
    return syntax.namesInQuery ? namedTools(name, view).distinctive : []
  }

  function blank(): PartialOutcome {
    if (syntax.blank === 'browse') {
      const more = view.request?.({ startingWith: '' }) ?? 0
      const tools = view.tools()
      const hits = tools.slice(0, limit).map((tool) => toHit({ tool, score: 0 }))
      const rest = tools.slice(limit, limit + MAX_OMITTED).map(({ name }) => name)
      return { form: 'browse', hits, omitted: omit(rest, tools.length + more - hits.length) }
    }
    if (syntax.blank === 'empty') return { form: 'blank', hits: [] }
    const problem = query.text === '' ? 'The query cannot be empty.' : 'The query has no words.'
    const message = `${problem} Describe in a few words what the tool should do.`
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
    return tool && limitNamed([tool])
  }

  function byNames(): PartialOutcome | undefined {
    return named.isOnlyNames ? limitNamed(named.distinctive) : undefined
  }

  function limitNamed(tools: readonly Tool[]): PartialOutcome {
    const hits = limitHits(tools.map((tool) => toHit({ tool })))
    return { form: 'name', hits, omitted: omit(namesOutside(tools, hits)) }
  }

  function byPrefix({ name }: WordsQuery): PartialOutcome | undefined {
    if (syntax.namePrefix === 'never' || /\s/.test(name)) return undefined
    if (syntax.namePrefix === 'qualified' && !name.includes('__')) return undefined
    // A heap, because a short prefix can match every tool.
    const first = createTopHits({ limit: limit + MAX_OMITTED, ties: 'name' })
    const more = view.request?.({ startingWith: name }) ?? 0
    let count = 0
    for (const tool of view.tools()) {
      if (!tool.name.startsWith(name) || !isSearched(tool)) continue
      first.offer(tool, 0, count++)
    }
    if (count === 0) return undefined
    const tools = first.hits().map(({ tool }) => tool)
    const hits = tools.slice(0, limit).map((tool) => toHit({ tool }))
    const rest = tools.slice(limit).map((tool) => tool.name)
    return { form: 'prefix', hits, omitted: omit(rest, count + more - hits.length) }
  }

  function byWords(words: WordsQuery): PartialOutcome {
    const { placesForAlwaysOn, ties, band } = selection
    const first = named.distinctive.filter((tool) => allowsNamed(words, tool))
    const plain = named.plain.filter((tool) => isSearched(tool) && allowsNamed(words, tool))
    const needed = limit + first.length + (placesForAlwaysOn ? 0 : view.alwaysOn())
    const accepts = acceptsFor(words)
    ranking = rankAccepted(view.ranker, words, {
      limit: needed + extra,
      ties,
      sure: selection.confidence.sure,
      ...(accepts && { accepts }),
      ...(view.isVisible && { isVisible: view.isVisible }),
      ...((explain || extra > 0) && { explain: true }),
    })
    const scored = ranking.hits.slice(0, needed)
    const confidence = judge(words, ranking)
    const isNamed = first.length > 0 || plain.some((tool) => named.phrases.has(tool))
    if (confidence === 'low' && !isNamed) return doubtful(words, scored, plain)
    const best = scored[0]?.score ?? 0
    const ranked =
      confidence === 'low'
        ? []
        : scored.filter(
            ({ tool, score, isBestForNeed }) =>
              (isBestForNeed || score >= band * best) && !first.includes(tool),
          )
    const hits = chooseHits(first, ranked.map(toHit), plain)
    return {
      form: 'words',
      hits: explain ? hits.map(withParts) : hits,
      confidence: first.length > 0 ? 'high' : confidence,
      omitted: omit(namesOutside([...named.distinctive, ...plain], hits)),
    }
  }

  /** Every tool resembles "the" a little, so what a query of such words finds is a coincidence. */
  function judge({ terms }: WordsQuery, ranking: Ranking): Confidence {
    const thresholds = selection.confidence
    const saysNothing = terms.every((term) => STOP_WORDS.has(term))
    return saysNothing && thresholds.doubtful > 0 ? 'low' : confidenceOf(ranking, thresholds)
  }

  /** The best matches as candidates, without a cut by score: no score is worth much here. */
  function doubtful(
    words: WordsQuery,
    scored: readonly ScoredTool[],
    plain: readonly Tool[],
  ): PartialOutcome {
    const chosen = chooseHits([], scored.map(toHit), plain)
    const explained = explain ? chosen.map(withParts) : chosen
    const omitted = omit(namesOutside([...named.distinctive, ...plain], chosen))
    const result = { form: 'words', confidence: 'low', omitted } as const
    if (loadsCandidates) return { ...result, hits: explained }
    const next = rankedAfter(words, chosen)
    const suggestion = suggestQuery(words.text, next, view.words ?? wordFrequencies(view.tools()))
    return {
      ...result,
      hits: [],
      candidates: explained.map(toCandidate),
      ...(suggestion !== undefined && { suggestion }),
    }
  }

  /** The tools that rank best after the candidates. Ranks again, because few searches need them. */
  function rankedAfter(words: WordsQuery, shown: readonly SearchHit[]): Tool[] {
    if (shown.length < limit) return []
    const accepts = acceptsFor(words)
    const { ties } = selection
    const more = {
      limit: shown.length + MAX_NEXT,
      ties,
      ...(accepts && { accepts }),
      ...(view.isVisible && { isVisible: view.isVisible }),
    }
    const { hits } = rankAccepted(view.ranker, words, more)
    return hits.map(({ tool }) => tool).filter((tool) => !shown.some((hit) => hit.tool === tool))
  }

  /** Which tools a keyword search may find; undefined if all. */
  function acceptsFor(words: WordsQuery): ((tool: Tool) => boolean) | undefined {
    if (!isFiltered(query, behaviour)) return view.isVisible
    return (tool) =>
      (view.isVisible?.(tool) ?? true) &&
      isSearched(tool) &&
      hasRequiredTerms(tool, words.required, syntax.requiredScope)
  }

  /**
   * Cuts to the limit. Tools named by an ordinary word have precedence over all ranked hits but the
   * best one; they come last unless they are ranked themselves.
   */
  function chooseHits(
    first: readonly Tool[],
    ranked: readonly SearchHit[],
    plain: readonly Tool[],
  ): SearchHit[] {
    const named = first.map((tool) => toHit({ tool }))
    const unranked = plain
      .filter((tool) => !ranked.some((hit) => hit.tool === tool))
      .map((tool) => toHit({ tool }))
    const wanted = [...ranked.filter(({ tool }) => plain.includes(tool)), ...unranked]
    const precedence = new Set([...named, ...ranked.slice(0, 1), ...wanted, ...ranked])
    const chosen = new Set(limitHits([...precedence]))
    return [...named, ...ranked, ...unranked].filter((hit) => chosen.has(hit))
  }

  /** A required word that is the name of another tool does not rule out this one. */
  function allowsNamed({ required }: WordsQuery, tool: Tool): boolean {
    const others = required.filter((word) => !named.words.has(word))
    return hasRequiredTerms(tool, others, syntax.requiredScope)
  }

  /** Always-on tools keep their rank but, if the preset says so, do not use up the limit. */
  function limitHits(hits: readonly SearchHit[]): SearchHit[] {
    if (selection.placesForAlwaysOn) return hits.slice(0, limit)
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
    if (hit.score === undefined) return hit
    const parts: readonly ScorePart[] = ranking?.explain?.(hit.tool.name) ?? []
    return { ...hit, parts: byWeight(parts) }
  }

  function similarNames({ name, terms }: WordsQuery): readonly string[] {
    if (terms.length > MAX_NAME_WORDS || name.length > MAX_NAME_LENGTH) return []
    return closeTo(name)
  }

  function closeTo(name: string): readonly string[] {
    view.request?.({ similarTo: name })
    return closestNames(name, view.tools())
  }
}

/** Names are certain. A list of the first tools says nothing about what the query needs. */
function confidenceIn({ form, hits, confidence }: PartialOutcome): Confidence {
  if (hits.length === 0) return 'low'
  return confidence ?? (form === 'browse' ? 'medium' : 'high')
}

function toCandidate(hit: SearchHit): SearchHit {
  return isNewHit(hit) ? { ...hit, status: 'candidate' } : hit
}

function omit(names: readonly string[], count: number = names.length): OmittedTools {
  return { count, names }
}

function namesOutside(tools: readonly Tool[], hits: readonly SearchHit[]): string[] {
  const returned = new Set(hits.map(({ tool }) => tool))
  return tools.filter((tool) => !returned.has(tool)).map(({ name }) => name)
}

/** Whether a keyword search ranks only some of the tools that the caller may see. */
function isFiltered(query: Query, { selection }: Behaviour): boolean {
  return (
    selection.searched === 'deferrable' || (query.kind === 'words' && query.required.length > 0)
  )
}
