import type { ActivityEvent, SearchEvent } from './activity-event.ts'
import { isNearlySame, wordsOf } from './is-nearly-same.ts'
import type { ActivityReport } from './session-report.ts'

/** Where agents did not get what they looked for. */
export interface MissReport {
  /** Most frequent first, then latest. */
  readonly searches: readonly MissedSearch[]
  /**
   * Tools that no search has given yet, by server and name; empty before the first search. Those
   * that are listed in every request need not be found, and are left out.
   */
  readonly neverFound: readonly { readonly name: string; readonly server: string }[]
  /** How many searches are remembered, missed or not. */
  readonly total: number
}

export interface MissedSearch {
  readonly query: string
  /**
   * The first of these that holds:
   * - `nothing-found`
   * - `repeated`: the session asked for nearly the same again, before it called a tool and within
   *   its next 20 searches
   * - `not-called`: the session searched on or ended, and has called none of what was found
   */
  readonly kind: 'nothing-found' | 'repeated' | 'not-called'
  readonly times: number
  readonly lastAt: string
  /** What it found the last time. */
  readonly hits: readonly string[]
}

/** A session that did nothing for so long will not call what it found. */
export const QUIET_MS = 600_000

/** Who asks for something again does it soon. */
const SOON = 20

export interface MissReportOptions {
  /** Tools that can be found, by server and name. */
  readonly tools: readonly { readonly name: string; readonly server: string }[]
  readonly isFound: (name: string) => boolean
  readonly now: number
}

export function missReport(
  { events, sessions }: ActivityReport,
  { tools, isFound, now }: MissReportOptions,
): MissReport {
  const going = new Set(
    sessions
      .filter(({ isOpen, lastActive }) => isOpen && now - Date.parse(lastActive) < QUIET_MS)
      .map(({ id }) => id),
  )
  const searches = events.filter((event) => event.kind === 'search')
  const groups = new Map<string, MissedSearch>()
  const wordsIn = new Map(searches.map((event) => [event, wordsOf(event.query)]))
  const isSame = (one: SearchEvent, other: SearchEvent) =>
    isNearlySame(wordsIn.get(one)!, wordsIn.get(other)!)
  for (const [session, own] of bySession(events)) {
    for (const [at, event] of own.entries()) {
      if (event.kind !== 'search') continue
      const later = own.slice(at + 1)
      const kind = missed(event, { later, isGoing: going.has(session), isSame })
      if (kind) add(groups, event, kind)
    }
  }
  return {
    searches: [...groups.values()].sort(
      (a, b) => b.times - a.times || b.lastAt.localeCompare(a.lastAt),
    ),
    neverFound: searches.length === 0 ? [] : tools.filter(({ name }) => !isFound(name)),
    total: searches.length,
  }
}

/** Oldest first. */
function bySession(events: readonly ActivityEvent[]): Map<string, ActivityEvent[]> {
  const sessions = new Map<string, ActivityEvent[]>()
  for (const event of events.toReversed()) {
    const own = sessions.get(event.session)
    if (own) own.push(event)
    else sessions.set(event.session, [event])
  }
  return sessions
}

interface Course {
  readonly later: readonly ActivityEvent[]
  /** Whether more is to be expected. */
  readonly isGoing: boolean
  readonly isSame: (one: SearchEvent, other: SearchEvent) => boolean
}

function missed(
  search: SearchEvent,
  { later, isGoing, isSame }: Course,
): MissedSearch['kind'] | undefined {
  const { hits } = search
  if (hits.length === 0) return 'nothing-found'
  if (searchesSoon(later).some((event) => isSame(event, search))) return 'repeated'
  // a model may search for several things first, and then call them all
  if (later.some((event) => event.kind === 'call' && hits.includes(event.tool))) return undefined
  const hasMovedOn = later.some((event) => event.kind === 'search')
  return hasMovedOn || !isGoing ? 'not-called' : undefined
}

/** The next searches, up to the first call of a server's tool. */
function searchesSoon(later: readonly ActivityEvent[]): SearchEvent[] {
  const searches: SearchEvent[] = []
  for (const event of later) {
    if (event.kind === 'search') searches.push(event)
    if (searches.length === SOON || (event.kind === 'call' && event.server !== undefined)) break
  }
  return searches
}

function add(
  groups: Map<string, MissedSearch>,
  { query, at, hits }: SearchEvent,
  kind: MissedSearch['kind'],
): void {
  const key = `${kind} ${query.trim().toLowerCase()}`
  const before = groups.get(key)
  const times = (before?.times ?? 0) + 1
  const isLatest = before === undefined || at >= before.lastAt
  groups.set(key, isLatest ? { query, kind, times, lastAt: at, hits } : { ...before, times })
}
