import type { Finder } from './finder.ts'
import { type EagerTools, limitHits, omittedFrom, toHit } from './hits.ts'

/** A query that consists of distinctive names returns only those tools. See `namedTools`. */
export function byNames(eager: EagerTools): Finder {
  return ({ query, limit, named }, view) => {
    if (query.kind !== 'words') return undefined
    const { isOnlyNames, distinctive } = named()
    if (!isOnlyNames) return undefined
    const all = distinctive.map((tool) => toHit(view, { tool }))
    const hits = limitHits(all, limit, eager)
    return { form: 'name', hits, omitted: omittedFrom(distinctive, hits) }
  }
}
