import type { RemoteSearch } from '../session/remote-tools.ts'
import type { SearchRequest } from '../tool-search/finders/finder.ts'
import { findTools } from '../tool-search/run-search.ts'
import type { SearchView } from '../tool-search/search-view.ts'

/** What a search looks up by name, whatever exists. */
export interface Mentions {
  readonly names: ReadonlySet<string>
  readonly spellings: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
}

/**
 * Lists what a search will look up, for a catalogue that has to be asked before: runs the finders without
 * any tools, so that none of them finds something and keeps the others from looking.
 *
 * @param ranker ranks nothing
 */
export function mentions(
  request: SearchRequest,
  { behaviour, view, rankerOver, names: known = [] }: RemoteSearch,
  ranker: Parameters<RemoteSearch['rankerOver']>[0],
): Mentions {
  const names = new Set(known)
  const spellings = new Set<string>()
  const prefixes = new Set<string>()
  const get = (name: string) => void names.add(name)
  const empty: SearchView = {
    ...view(),
    ranker: () => rankerOver(ranker, get),
    get,
    spelled(spelling) {
      spellings.add(spelling)
      return []
    },
    beyond: (prefix) => prefixes.add(prefix).size,
    tools: () => [],
  }
  findTools(request, empty, behaviour)
  return { names, spellings, prefixes }
}

/** Whether a search ranks tools. If not, names answer it. */
export function ranksTools(
  request: SearchRequest,
  { view, behaviour }: Pick<RemoteSearch, 'view' | 'behaviour'>,
): boolean {
  let isRanked = false
  const rank = () => {
    isRanked = true
    return { hits: [] }
  }
  findTools(request, { ...view(), ranker: () => ({ rank }) }, behaviour)
  return isRanked
}
