import type { Tool } from '../catalogue/tool.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { Query } from '../query/query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import type { Ranking, ScorePart } from '../ranking/ranker.ts'
import { runSearch, type SearchRequest } from './run-search.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

/** Why a search gave a tool, or why it did not. */
export interface ToolExplanation {
  readonly tool: string
  readonly verdict: Verdict
  /** Its place among all tools that have a score, from one. */
  readonly rank?: number
  readonly score?: number
  /** The best score of any tool. */
  readonly best?: number
  /** What the score is made of, the weightiest first. */
  readonly parts: readonly ScorePart[]
  /** All that in one line. */
  readonly text: string
}

/**
 * - `returned`
 * - `unknown`: there is no such tool; `concealed`: there is, but not for this caller
 * - `lacks-required`: a `+word` is not in it; `no-match`: nothing of the query is
 * - `below-limit`, `below-band`: others were better, or much better
 * - `doubtful`: nothing fitted well enough, this tool included
 * - `not-searched`: the query asks for names, or the tool is never hidden and not searched
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

export interface ExplainRequest extends SearchRequest {
  readonly name: string
  /** Whether the catalogue has the tool, be it visible or not. */
  readonly exists: boolean
}

export function explainTool(
  { name, exists, ...request }: ExplainRequest,
  view: SearchView,
  behaviour: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): ToolExplanation {
  const tool = view.get(name)
  if (tool) return createJudge(request, view, behaviour).explain(tool)
  if (exists) return answer(name, 'concealed', `${name} is not among the tools this caller may use`)
  const close = closestNames(name, view.tools())
  const hint = close.length > 0 ? `; close to it: ${close.join(', ')}` : ''
  return answer(name, 'unknown', `${name} is not in the catalogue${hint}`)
}

/** The best `count` of the tools that the words of a query match and a search does not give. */
export function explainMisses(
  { count, ...request }: SearchRequest & { readonly count: number },
  view: SearchView,
  behaviour: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): ToolExplanation[] {
  const { outcome, query, explain } = createJudge(request, view, behaviour)
  if (query.kind !== 'words' || outcome.form !== 'words') return []
  const given = new Set(outcome.hits.map(({ tool }) => tool))
  const { ties } = behaviour.selection
  // also those that lack a required word: that is a reason to be told
  const { isVisible: accepts } = view
  const { hits } = view.ranker.rank(query, { limit: given.size + count, ties, accepts })
  const missed = hits.map(({ tool }) => tool).filter((tool) => !given.has(tool))
  return missed.slice(0, count).map(explain)
}

interface Judge {
  readonly outcome: SearchOutcome
  readonly query: Query
  explain(tool: Tool): ToolExplanation
}

/** Makes a search once, and says of any visible tool what became of it. */
function createJudge(
  request: SearchRequest,
  view: SearchView,
  behaviour: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): Judge {
  const { syntax, selection } = behaviour
  const outcome = runSearch(request, view, behaviour)
  const query = parseQuery(request.query, syntax)
  let ranking: Ranking | undefined
  return { outcome, query, explain }

  function explain(tool: Tool): ToolExplanation {
    const { name } = tool
    const isReturned = outcome.hits.some((hit) => hit.tool === tool)
    if (query.kind !== 'words' || outcome.form !== 'words') {
      return isReturned
        ? answer(name, 'returned', `${name} was asked for by name`)
        : answer(
            name,
            'not-searched',
            `the query was read as ${outcome.form} and asks for other tools`,
          )
    }
    if (!hasRequiredTerms(tool, query.required, syntax.requiredScope)) {
      return answer(name, 'lacks-required', `${name} lacks a word of +${query.required.join(' +')}`)
    }
    if (selection.searched === 'deferrable' && view.status(tool) === 'always-on') {
      return answer(name, 'not-searched', `${name} is always sent, so it is not searched for`)
    }

    const accepts = (one: Tool) =>
      view.isVisible(one) && hasRequiredTerms(one, query.required, syntax.requiredScope)
    const { ties } = selection
    ranking ??= view.ranker.rank(query, { limit: Number.POSITIVE_INFINITY, ties, accepts })
    const { hits, nearerTo } = ranking
    const at = hits.findIndex((hit) => hit.tool === tool)
    if (at < 0) return answer(name, 'no-match', `${name} has nothing of the query`)
    const found = {
      rank: at + 1,
      score: hits[at]!.score,
      best: hits[0]!.score,
      parts: [...view.ranker.explain(query, name, { accepts })].sort((a, b) => b.weight - a.weight),
    }
    const place = `rank ${found.rank} of ${hits.length}, score ${short(found.score)}`
    const why = `${place}: ${summary(found.parts)}`
    if (isReturned) return answer(name, 'returned', `${name} was returned, ${why}`, found)
    if (outcome.abstained) {
      const nearer = nearerTo === undefined ? '' : `, the query is nearer to "${nearerTo}"`
      const text = `nothing fits well enough${nearer}; ${name} has ${why}`
      return answer(name, 'doubtful', text, found)
    }
    if (found.score < selection.band * found.best) {
      const bar = short(selection.band * found.best)
      const text = `${name} is below ${bar}, too far behind the best; ${why}`
      return answer(name, 'below-band', text, found)
    }
    const text = `${name} came after the limit of ${request.limit}; ${why}`
    return answer(name, 'below-limit', text, found)
  }
}

function answer(
  tool: string,
  verdict: Verdict,
  text: string,
  rest: Partial<ToolExplanation> = {},
): ToolExplanation {
  return { tool, verdict, parts: [], ...rest, text: `${text}.` }
}

function summary(parts: readonly ScorePart[]): string {
  const told = parts.slice(0, 3).map(({ term, found, field, match, weight }) => {
    const as = found === undefined || found === term ? '' : ` as "${found}"`
    return `${match} "${term}"${as} in ${field} ${short(weight)}`
  })
  const rest = parts.length > 3 ? [`${parts.length - 3} more`] : []
  return [...told, ...rest].join(', ')
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}
