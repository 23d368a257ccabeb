import type { Finder } from './finder.ts'
import { isSearched, omittedFrom, toHit } from './hits.ts'

/**
 * A query that is the name of a tool returns only that tool.
 *
 * @param eager with `skip`, the name of an eager tool is a query like any other
 */
export function byExactName(eager: 'skip' | 'count' = 'count'): Finder {
  return ({ query, limit }, view) => {
    if (query.kind === 'select') return undefined
    const name = query.kind === 'words' ? query.name : query.text
    const tool = view.get(query.text) ?? view.get(name)
    if (tool === undefined || !isSearched(tool, view, eager)) return undefined
    const hits = limit > 0 ? [toHit(view, { tool })] : []
    return { form: 'name', hits, omitted: omittedFrom([tool], hits) }
  }
}
