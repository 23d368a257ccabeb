import type { CallEvent, SearchEvent } from './activity-report.ts'
import { groupBy } from './group-by.ts'
import type { MissKind } from './miss-report.ts'
import { areSimilar, queryWords } from './similar-queries.ts'

/** How many later searches can count as a repetition. Unbounded, the comparison would be quadratic. */
const REPEAT_WINDOW = 20

/** A search or call; the rest of an event does not matter for misses. */
type Step = SearchStep | Pick<CallEvent, 'kind' | 'at' | 'session' | 'tool' | 'server'>

type SearchStep = Pick<SearchEvent, 'kind' | 'at' | 'session' | 'query' | 'hits' | 'candidates'>

/**
 * Finds the searches that did not help an agent.
 *
 * @param events oldest first, of any number of sessions
 * @param isActive whether the agent of a session may still call what it found
 */
export function findMisses<Event extends Step>(
  events: readonly Event[],
  isActive: (session: string) => boolean,
): Map<Event, MissKind> {
  const misses = new Map<Event, MissKind>()
  const words = new Map<Step, ReadonlySet<string>>()
  const wordsOf = (search: SearchStep) => {
    const known = words.get(search) ?? queryWords(search.query)
    words.set(search, known)
    return known
  }
  for (const [session, own] of groupBy(events, (event) => event.session)) {
    // Going backwards, what happened later is known.
    const calledLater = new Set<string>()
    let hasSearchedLater = false
    for (let at = own.length - 1; at >= 0; at--) {
      const event = own[at]!
      if (event.kind === 'call') {
        calledLater.add(event.tool)
        continue
      }
      const next = nextSearches(own, at + 1)
      const kind = missKind(event, {
        isRepeated: () =>
          next.some(
            // Several queries in one request are not a repetition.
            (later) => later.at !== event.at && areSimilar(wordsOf(later), wordsOf(event)),
          ),
        // A model may search for several things first and call them all afterwards.
        isCalled: (hit) => calledLater.has(hit),
        isOver: hasSearchedLater || !isActive(session),
      })
      if (kind) misses.set(event, kind)
      hasSearchedLater = true
    }
  }
  return misses
}

interface Continuation {
  readonly isRepeated: () => boolean
  readonly isCalled: (hit: string) => boolean
  /** The agent searched for something else, or left. */
  readonly isOver: boolean
}

function missKind(
  { hits, candidates }: SearchStep,
  { isRepeated, isCalled, isOver }: Continuation,
): MissKind | undefined {
  if (hits.length === 0) return candidates.length > 0 ? 'low-confidence' : 'nothing-found'
  if (isRepeated()) return 'repeated'
  if (hits.some(isCalled)) return undefined
  return isOver ? 'not-called' : undefined
}

/** The next searches, up to the first call of a server's tool. */
function nextSearches(own: readonly Step[], from: number): SearchStep[] {
  const searches: SearchStep[] = []
  for (let at = from; at < own.length; at++) {
    const event = own[at]!
    if (event.kind === 'search') searches.push(event)
    else if (event.server !== undefined) break
    if (searches.length === REPEAT_WINDOW) break
  }
  return searches
}
