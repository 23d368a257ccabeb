import type { Tool } from '../../catalogue/tool.ts'
import type { ScoredTool } from '../../ranking/ranker.ts'
import type { OmittedTools, SearchHit } from '../search-outcome.ts'
import type { SearchView } from '../search-view.ts'

/**
 * How a search treats eager tools: it skips them, counts them towards the limit, or
 * returns them in addition to it.
 */
export type EagerTools = 'skip' | 'count' | 'add'

export function toHit(
  view: SearchView,
  { tool, score }: { tool: Tool } & Partial<ScoredTool>,
): SearchHit {
  return { tool, ...(score !== undefined && { score }), status: view.status(tool) }
}

/** Cuts to the limit. Eager tools keep their places. */
export function limitHits(
  hits: readonly SearchHit[],
  limit: number,
  eager: EagerTools,
): readonly SearchHit[] {
  if (eager !== 'add') return hits.slice(0, limit)
  let others = limit
  let added = limit
  return hits.filter(({ status }) => (status === 'always-on' ? added-- > 0 : others-- > 0))
}

export function isSearched(tool: Tool, view: SearchView, eager: EagerTools): boolean {
  return eager !== 'skip' || view.status(tool) !== 'always-on'
}

export function omitted(names: readonly string[], count: number = names.length): OmittedTools {
  return { count, names }
}

/** The tools that are not among the hits, as tools that the query names. */
export function omittedFrom(tools: readonly Tool[], hits: readonly SearchHit[]): OmittedTools {
  const returned = new Set(hits.map(({ tool }) => tool))
  return omitted(tools.filter((tool) => !returned.has(tool)).map(({ name }) => name))
}
