import type { Tool } from '../catalogue/tool.ts'
import type { Query, WordsQuery } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { wordFrequencies } from './catalogue-words.ts'
import type { Confidence } from './confidence.ts'
import { explainUnranked, type ToolExplanation } from './explain-tool.ts'
import type { Finder, Found, SearchRequest } from './finders/finder.ts'
import { omitted, toHit } from './finders/hits.ts'
import { type NamedTools, namedTools } from './named-tools.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchHit, SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'
import { suggestQuery } from './suggest-query.ts'

type Behaviour = Pick<SearchBehaviour, 'finders' | 'selection'>

/** A longer query is a sentence, and sentences do not resemble tool names. */
const MAX_NAME_WORDS = 3
const MAX_NAME_LENGTH = 80
/** Finding similar names takes milliseconds, and a `select:` query can contain thousands of names. */
const MAX_SUGGESTIONS = 20
const MAX_MISSING_LENGTH = 128
/** How many of the tools that a skill names come along. */
const MAX_SKILL_TOOLS = 20

/** A search whose hits are chosen, before it says what to try next. */
export interface Search {
  /** Names that do not exist. The outcome has similar ones. */
  readonly unknownNames: readonly string[]
  /** The tools that rank after the candidates. The outcome suggests a query in their words. */
  readonly next: readonly Tool[]
  outcome(): SearchOutcome
  /** Explains why the search returned a tool that the caller may use, or why it did not. */
  explain(tool: Tool): ToolExplanation
}

/** Finds tools without side effects: loading the hits is up to the caller. Never throws. */
export function runSearch(
  request: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
): SearchOutcome {
  return findTools(request, view, behaviour).outcome()
}

/** The first half of `runSearch`. */
export function findTools(
  request: SearchRequest,
  view: SearchView,
  { finders, selection }: Behaviour,
): Search {
  const { query, text, limit, nearMisses, isExcerpt = false } = request
  let known: NamedTools | undefined
  const named = () => {
    known ??= namedTools(isExcerpt ? '' : query.text, view)
    return known
  }
  const found = withSkillTools(find(finders, { ...request, selection, named }, view), view)
  const { form, hits, candidates = [], confidence, missing = [], next = [] } = found
  const isEmpty = hits.length + candidates.length + missing.length === 0
  const unknown = isEmpty && limit > 0 && isName(query) ? query.name : undefined
  const unknownNames = missing
    .slice(0, MAX_SUGGESTIONS)
    .map((name) => name.slice(0, MAX_MISSING_LENGTH))
  return { unknownNames: unknown ? [unknown] : unknownNames, next, outcome, explain }

  function outcome(): SearchOutcome {
    const { omitted: left = omitted([]), problem, rules } = found
    const suggestion = next.length > 0 ? suggest() : undefined
    const result: SearchOutcome = {
      query: text,
      form,
      hits,
      confidence: confidence ?? (hits.length === 0 ? 'low' : certaintyOf(form)),
      candidates,
      ...(suggestion !== undefined && { suggestion }),
      missing: missing.map((name, at) => {
        const wanted = unknownNames[at]
        return { name, closest: wanted === undefined ? [] : closestNames(wanted, view.tools()) }
      }),
      omitted: left,
      closest: unknown === undefined ? [] : closestNames(unknown, view.tools()),
      notReady: view.notReady(),
      deferrable: view.deferrable(),
      remaining: view.remainingAfter(hits.map((hit) => hit.tool)),
      repeats: 0,
      ...(rules && { rules }),
      ...(problem && { problem }),
    }
    if (nearMisses === undefined) return result
    const shown = new Set([...hits, ...candidates].map(({ tool }) => tool))
    const others = found.others?.(shown, nearMisses) ?? []
    return { ...result, nearMisses: others.map(explain) }
  }

  function suggest(): string | undefined {
    return suggestQuery(query.text, next, view.words ?? wordFrequencies(view.tools()))
  }

  function explain(tool: Tool): ToolExplanation {
    return found.explain?.(tool, hits) ?? explainUnranked(tool, found)
  }
}

function isName(query: Query): query is WordsQuery {
  if (query.kind !== 'words') return false
  return query.terms.length <= MAX_NAME_WORDS && query.name.length <= MAX_NAME_LENGTH
}

function find(finders: readonly Finder[], ...[request, view]: Parameters<Finder>): Found {
  for (const finder of finders) {
    const found = finder(request, view)
    if (found) return found
  }
  return { form: 'blank', hits: [] }
}

/** Tools that a returned skill names come after all other hits, in addition to the limit. */
function withSkillTools(found: Found, view: SearchView): Found {
  const returned = new Set(found.hits.map(({ tool }) => tool))
  const added = found.hits
    .filter(({ status }) => status === 'skill')
    .flatMap(({ tool: { name: skill, skill: content } }) =>
      content!.tools
        .flatMap((name) => view.get(name) ?? [])
        .filter((tool) => !tool.skill)
        .slice(0, MAX_SKILL_TOOLS)
        .flatMap((tool): SearchHit[] => {
          if (returned.has(tool)) return []
          returned.add(tool)
          return [{ ...toHit(view, { tool }), skill }]
        }),
    )
  return added.length === 0 ? found : { ...found, hits: [...found.hits, ...added] }
}

/** Names are certain. A list of the first tools says nothing about what the query needs. */
function certaintyOf(form: Found['form']): Confidence {
  return form === 'browse' ? 'medium' : 'high'
}
