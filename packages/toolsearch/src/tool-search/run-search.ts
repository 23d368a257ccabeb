import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { SelectQuery, WordsQuery } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import type { ScoredTool } from '../ranking/ranker.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchHit, SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

export interface SearchRequest {
  readonly query: string
  readonly limit: number
  /** Adds to each hit what its score is made of. */
  readonly explain?: boolean
}

// a longer query is a sentence, and no tool's name is like a sentence
const MAX_NAME_WORDS = 3
const MAX_NAME_LENGTH = 80

type Found = Pick<SearchOutcome, 'form' | 'hits'> & Partial<SearchOutcome>

/** Finds tools. Changes nothing: to load the hits is the caller's business. Never throws. */
export function runSearch(
  { query: text, limit, explain = false }: SearchRequest,
  view: SearchView,
  { syntax, selection }: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): SearchOutcome {
  const query = parseQuery(text, syntax)
  const found = search()
  const isEmpty = found.hits.length === 0 && (found.missing ?? []).length === 0
  return {
    query: text,
    missing: [],
    capped: 0,
    abstained: false,
    notReady: view.notReady(),
    deferrable: view.deferrable(),
    remaining: view.remainingAfter(found.hits.map((hit) => hit.tool)),
    repeats: 0,
    ...found,
    closest: isEmpty && query.kind === 'words' ? closeTo(query, found) : [],
  }

  function search(): Found {
    if (query.kind === 'select') return select(query)
    const named = byName(query)
    if (named || query.kind === 'blank') return named ?? blank()
    return byPrefix(query) ?? byWords(query)
  }

  function select({ names }: SelectQuery): Found {
    const asked = names.slice(0, selection.selectCap)
    const hits = asked.flatMap((name) => view.get(name) ?? []).map((tool) => toHit({ tool }))
    const missing = asked
      .filter((name) => view.get(name) === undefined)
      .map((name) => ({ name, closest: closestNames(name, view.tools()) }))
    return { form: 'select', hits, missing, capped: names.length - asked.length }
  }

  function blank(): Found {
    if (syntax.blank === 'browse') {
      const hits = view
        .tools()
        .slice(0, limit)
        .map((tool) => toHit({ tool, score: 0 }))
      return { form: 'browse', hits }
    }
    if (syntax.blank === 'empty') return { form: 'blank', hits: [] }
    const message = 'The query cannot be empty: say in a few words what the tool should do.'
    return { form: 'blank', hits: [], problem: { code: 'blank_query', message } }
  }

  function byName({ text, name = text }: { text: string; name?: string }): Found | undefined {
    const tool = syntax.exactName ? (view.get(text) ?? view.get(name)) : undefined
    return tool && { form: 'name', hits: [toHit({ tool })] }
  }

  function byPrefix({ name }: WordsQuery): Found | undefined {
    if (syntax.namePrefix === 'never' || /\s/.test(name)) return undefined
    if (syntax.namePrefix === 'qualified' && !name.includes('__')) return undefined
    const tools = view
      .tools()
      .filter((tool) => tool.name.startsWith(name) && isSearched(tool))
      .sort((a, b) => compareNames(a.name, b.name))
    if (tools.length === 0) return undefined
    return { form: 'prefix', hits: tools.slice(0, limit).map((tool) => toHit({ tool })) }
  }

  function byWords(words: WordsQuery): Found {
    const { placesForAlwaysOn, ties, band, abstains } = selection
    const alwaysOn = view.tools().length - view.deferrable()
    const accepts = (tool: Tool) =>
      view.isVisible(tool) &&
      isSearched(tool) &&
      hasRequiredTerms(tool, words.required, syntax.requiredScope)
    const { hits: scored, doubtBelow = 0 } = view.ranker.rank(words, {
      limit: placesForAlwaysOn ? limit : limit + alwaysOn,
      ties,
      accepts,
    })
    const best = scored[0]?.score ?? 0
    if (abstains && best < doubtBelow) {
      const closest = scored.slice(0, 3).map(({ tool }) => tool.name)
      return { form: 'words', hits: [], abstained: scored.length > 0, closest }
    }
    const near = scored.filter(({ score }) => score >= band * best)
    const hits = near.map((one) => {
      const parts = explain && view.ranker.explain(words, one.tool.name, { accepts })
      return { ...toHit(one), ...(parts && { parts }) }
    })
    return { form: 'words', hits: placesForAlwaysOn ? hits : fillPlaces(hits) }
  }

  /** Tools that are never hidden come along in their order, but take no place from the others. */
  function fillPlaces(hits: readonly SearchHit[]): SearchHit[] {
    let free = limit
    let alwaysOn = limit
    return hits.filter(({ status }) => (status === 'always-on' ? alwaysOn-- > 0 : free-- > 0))
  }

  function isSearched(tool: Tool): boolean {
    return selection.searched === 'visible' || view.status(tool) !== 'always-on'
  }

  function toHit({ tool, score }: { tool: Tool } & Partial<ScoredTool>): SearchHit {
    return { tool, ...(score !== undefined && { score }), status: view.status(tool) }
  }

  function closeTo({ name, terms }: WordsQuery, { closest = [] }: Found): readonly string[] {
    if (closest.length > 0 || terms.length > MAX_NAME_WORDS || name.length > MAX_NAME_LENGTH) {
      return closest
    }
    return closestNames(name, view.tools())
  }
}
