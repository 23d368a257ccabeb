import type { Ranker } from '../ranking/ranker.ts'
import type { SearchRequest } from './finders/finder.ts'
import { findTools } from './run-search.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchView } from './search-view.ts'

/** What a search looks up by name, whatever exists. */
export interface Mentions {
  readonly names: ReadonlySet<string>
  readonly spellings: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
}

type Behaviour = Pick<SearchBehaviour, 'finders' | 'selection'>

/** Whether a search ranks tools. If not, names answer it. */
export function ranksTools(
  request: SearchRequest,
  view: SearchView,
  behaviour: Behaviour,
): boolean {
  let isRanked = false
  const rank = () => {
    isRanked = true
    return { hits: [] }
  }
  findTools(request, { ...view, ranker: { rank } }, behaviour)
  return isRanked
}

/**
 * Lists what a search will look up, for a catalogue that has to be asked before: runs the finders without
 * any tools, so that none of them finds something and keeps the others from looking.
 *
 * @param rankerOver adds lookups of the ranker: it may recall tools by name
 */
export function mentions(
  request: SearchRequest,
  behaviour: Behaviour,
  rankerOver: (ranker: Pick<Ranker, 'rank'>, get: SearchView['get']) => SearchView['ranker'] = (
    ranker,
  ) => ranker,
): Mentions {
  const names = new Set<string>()
  const spellings = new Set<string>()
  const prefixes = new Set<string>()
  const get = (name: string) => void names.add(name)
  findTools(
    request,
    {
      ranker: rankerOver({ rank: () => ({ hits: [] }) }, get),
      get,
      spelled(spelling) {
        spellings.add(spelling)
        return []
      },
      unlisted: (prefix) => prefixes.add(prefix).size,
      tools: () => [],
      status: () => 'found',
      notReady: () => [],
      deferrable: () => 0,
      alwaysOn: () => 0,
      remainingAfter: () => 0,
    },
    behaviour,
  )
  return { names, spellings, prefixes }
}
