import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import type { Confidence } from './confidence.ts'
import { explainUnranked, type ToolExplanation } from './explain-tool.ts'
import type { Finder, Found, SearchRequest } from './finders/finder.ts'
import { omitted, toHit } from './finders/hits.ts'
import { type NamedTools, namedTools } from './named-tools.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchHit, SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

type Behaviour = Pick<SearchBehaviour, 'finders' | 'selection'>

/** A longer query is a sentence, and sentences do not resemble tool names. */
const MAX_NAME_WORDS = 3
const MAX_NAME_LENGTH = 80
/** Finding similar names takes milliseconds, and a `select:` query can contain thousands of names. */
const MAX_SUGGESTIONS = 20
const MAX_MISSING_LENGTH = 128
/** How many of the tools that a skill names come along. */
const MAX_SKILL_TOOLS = 20

/** Finds tools without side effects: loading the hits is up to the caller. Never throws. */
export function runSearch(
  request: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
): SearchOutcome {
  const { nearMisses } = request
  const { outcome, others, explain } = search(request, view, behaviour, false)
  if (nearMisses === undefined) return outcome
  const shown = new Set([...outcome.hits, ...outcome.candidates].map(({ tool }) => tool))
  return { ...outcome, nearMisses: (others?.(shown, nearMisses) ?? []).map(explain) }
}

/** Explains why a search returns a tool that the caller may use, or why it does not. */
export function explainSearch(
  tool: Tool,
  request: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
): ToolExplanation {
  return search(request, view, behaviour, true).explain(tool)
}

/** @param ranksAll whether any tool will be explained */
function search(
  request: SearchRequest,
  view: SearchView,
  { finders, selection }: Behaviour,
  ranksAll: boolean,
) {
  const { query, text, limit, isExcerpt = false } = request
  let known: NamedTools | undefined
  const named = () => {
    known ??= namedTools(isExcerpt ? '' : query.text, view)
    return known
  }
  const found = withSkillTools(
    find(finders, { ...request, selection, named, ranksAll }, view),
    view,
  )
  const { form, hits, candidates = [], missing = [], confidence, others, explain, ...rest } = found
  const isEmpty = hits.length + candidates.length + missing.length === 0
  const outcome: SearchOutcome = {
    query: text,
    form,
    hits,
    confidence: confidence ?? (hits.length === 0 ? 'low' : certaintyOf(form)),
    candidates,
    missing: missing.map((name, at) => ({
      name,
      closest: at < MAX_SUGGESTIONS ? closeTo(name.slice(0, MAX_MISSING_LENGTH), view) : [],
    })),
    omitted: omitted([]),
    closest: isEmpty && limit > 0 && query.kind === 'words' ? similarNames(query, view) : [],
    notReady: view.notReady(),
    deferrable: view.deferrable(),
    remaining: view.remainingAfter(hits.map((hit) => hit.tool)),
    repeats: 0,
    ...rest,
  }
  return {
    outcome,
    others,
    explain: (tool: Tool) => explain?.(tool, outcome) ?? explainUnranked(tool, outcome),
  }
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

function similarNames({ name, terms }: WordsQuery, view: SearchView): readonly string[] {
  if (terms.length > MAX_NAME_WORDS || name.length > MAX_NAME_LENGTH) return []
  return closeTo(name, view)
}

function closeTo(name: string, view: SearchView): readonly string[] {
  view.request?.({ similarTo: name })
  return closestNames(name, view.tools())
}
