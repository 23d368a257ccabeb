import type { Tool } from '../catalogue/tool.ts'
import { parseQuery } from '../query/parse-query.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import type { ScorePart } from '../ranking/ranker.ts'
import { runSearch, type SearchRequest } from './run-search.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
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
  const { syntax, selection } = behaviour
  const tool = view.get(name)
  if (tool === undefined) {
    if (exists) return answer('concealed', `${name} is not among the tools this caller may use`)
    const close = closestNames(name, view.tools())
    const hint = close.length > 0 ? `; close to it: ${close.join(', ')}` : ''
    return answer('unknown', `${name} is not in the catalogue${hint}`)
  }

  const outcome = runSearch(request, view, behaviour)
  const query = parseQuery(request.query, syntax)
  const isReturned = outcome.hits.some((hit) => hit.tool === tool)
  if (query.kind !== 'words' || outcome.form !== 'words') {
    return isReturned
      ? answer('returned', `${name} was asked for by name`)
      : answer('not-searched', `the query was read as ${outcome.form} and asks for other tools`)
  }
  if (!hasRequiredTerms(tool, query.required, syntax.requiredScope)) {
    return answer('lacks-required', `${name} lacks a word of +${query.required.join(' +')}`)
  }
  if (selection.searched === 'deferrable' && view.status(tool) === 'always-on') {
    return answer('not-searched', `${name} is always sent, so it is not searched for`)
  }

  const accepts = (one: Tool) =>
    view.isVisible(one) && hasRequiredTerms(one, query.required, syntax.requiredScope)
  const { ties } = selection
  const limit = Number.POSITIVE_INFINITY
  const { hits, nearerTo } = view.ranker.rank(query, { limit, ties, accepts })
  const at = hits.findIndex((hit) => hit.tool === tool)
  if (at < 0) return answer('no-match', `${name} has nothing of the query`)
  const found = {
    rank: at + 1,
    score: hits[at]!.score,
    best: hits[0]!.score,
    parts: [...view.ranker.explain(query, name, { accepts })].sort((a, b) => b.weight - a.weight),
  }
  const place = `rank ${found.rank} of ${hits.length}, score ${short(found.score)}`
  const why = `${place}: ${summary(found.parts)}`
  if (isReturned) return answer('returned', `${name} was returned, ${why}`, found)
  if (outcome.abstained) {
    const nearer = nearerTo === undefined ? '' : `, the query is nearer to "${nearerTo}"`
    return answer('doubtful', `nothing fits well enough${nearer}; ${name} has ${why}`, found)
  }
  if (found.score < selection.band * found.best) {
    const bar = short(selection.band * found.best)
    return answer('below-band', `${name} is below ${bar}, too far behind the best; ${why}`, found)
  }
  return answer('below-limit', `${name} came after the limit of ${request.limit}; ${why}`, found)

  function answer(
    verdict: Verdict,
    text: string,
    rest: Partial<ToolExplanation> = {},
  ): ToolExplanation {
    return { tool: name, verdict, parts: [], ...rest, text: `${text}.` }
  }
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
