import { createTopHits } from '../../ranking/top-hits.ts'
import type { Finder } from './finder.ts'
import { type EagerTools, isSearched, omitted, toHit } from './hits.ts'

export interface ByPrefixOptions {
  /** The text that a word must contain to count as a prefix, such as `__` after a server. */
  readonly containing?: string
  readonly eager: EagerTools
}

/** How many of the tools that did not fit are named. */
export const MAX_OMITTED = 20

/** A single word returns the tools whose names start with it, sorted. */
export function byPrefix({ containing = '', eager }: ByPrefixOptions): Finder {
  return ({ query, limit }, view) => {
    if (query.kind !== 'words') return undefined
    const { name } = query
    if (/\s/.test(name) || !name.includes(containing)) return undefined
    // A heap, because a short prefix can match every tool.
    const first = createTopHits({ limit: limit + MAX_OMITTED, ties: 'name' })
    const more = view.beyond?.(name) ?? 0
    let count = 0
    for (const tool of view.tools()) {
      if (!tool.name.startsWith(name) || !isSearched(tool, view, eager)) continue
      first.offer(tool, 0, count++)
    }
    if (count === 0) return undefined
    const tools = first.hits().map(({ tool }) => tool)
    const hits = tools.slice(0, limit).map((tool) => toHit(view, { tool }))
    const rest = tools.slice(limit).map((tool) => tool.name)
    return { form: 'prefix', hits, omitted: omitted(rest, count + more - hits.length) }
  }
}
