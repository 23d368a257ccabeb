import type { ActivityEvent, ActivityReport, SearchEvent } from './activity-report.ts'
import { areSimilar, queryWords } from './similar-queries.ts'

/** Searches that did not help the agent, and tools that no search returned. */
export interface MissReport {
  /** The period; ISO dates. Without a `since` parameter it starts with the gateway. */
  readonly since: string
  readonly until: string
  /** Groups of similar queries. Most frequent first, then latest. */
  readonly searches: readonly MissedSearch[]
  /**
   * Tools that no search of the period returned, by server and name; empty until there are
   * `neededSearches`. Tools that are listed in every request are left out: agents see them without a
   * search.
   */
  readonly neverFound: readonly { readonly name: string; readonly server: string }[]
  /** How many searches it takes before "never found" means something. Grows with the catalogue. */
  readonly neededSearches: number
  /** Number of searches in the period, missed or not. */
  readonly total: number
  /** Number of missed searches in the period: the sum of `times`. */
  readonly missed: number
}

/** Missed searches for the same thing in similar words. */
export interface MissedSearch {
  /** The most frequent query of the group. */
  readonly query: string
  /** All queries of the group, most frequent first, at most 20. */
  readonly queries: readonly { readonly query: string; readonly times: number }[]
  /** The most frequent kind in the group. */
  readonly kind: MissKind
  /** How often each kind occurred. */
  readonly kinds: Readonly<Partial<Record<MissKind, number>>>
  readonly times: number
  readonly firstAt: string
  readonly lastAt: string
  /** The results of the latest such search. */
  readonly hits: readonly string[]
  /** The candidates of the latest such search, if its confidence was low. */
  readonly candidates: readonly string[]
  /** The clients that made these searches, at most 10. */
  readonly clients: readonly string[]
}

/**
 * The first of these that applies:
 * - `nothing-found`
 * - `low-confidence`: the answer listed candidates only
 * - `repeated`: the agent made a similar search again before it called a tool, within its next 20
 *   searches
 * - `not-called`: the agent searched for something else or left, and called none of the results
 */
export type MissKind = 'nothing-found' | 'low-confidence' | 'repeated' | 'not-called'

/** After this time without activity a session counts as ended. */
export const IDLE_MS = 600_000

/** How many later searches can count as a repetition. Unbounded, the comparison would be quadratic. */
const REPEAT_WINDOW = 20

export interface MissReportOptions {
  /** Tools that searches can return, in the order of the report. */
  readonly tools: readonly { readonly name: string; readonly server: string }[]
  readonly isFound: (name: string) => boolean
  readonly now: number
}

export function missReport(
  { events, sessions }: ActivityReport,
  { tools, isFound, now }: MissReportOptions,
): MissReport {
  const active = new Set(
    sessions
      .filter(({ isOpen, lastActive }) => isOpen && now - Date.parse(lastActive) < IDLE_MS)
      .map(({ id }) => id),
  )
  const searches = events.filter((event) => event.kind === 'search')
  const groups = new Map<string, MissedSearch>()
  const words = new Map(searches.map((event) => [event, queryWords(event.query)]))
  const isSimilar = (a: SearchEvent, b: SearchEvent) => areSimilar(words.get(a)!, words.get(b)!)
  for (const [session, own] of bySession(events)) {
    for (const [at, event] of own.entries()) {
      if (event.kind !== 'search') continue
      const later = own.slice(at + 1)
      const kind = missKind(event, { later, isActive: active.has(session), isSimilar })
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

/** Groups events by session, oldest first. */
function bySession(events: readonly ActivityEvent[]): Map<string, ActivityEvent[]> {
  const sessions = new Map<string, ActivityEvent[]>()
  for (const event of events.toReversed()) {
    const own = sessions.get(event.session)
    if (own) own.push(event)
    else sessions.set(event.session, [event])
  }
  return sessions
}

interface Continuation {
  readonly later: readonly ActivityEvent[]
  /** Whether the agent may still call what it found. */
  readonly isActive: boolean
  readonly isSimilar: (a: SearchEvent, b: SearchEvent) => boolean
}

function missKind(
  search: SearchEvent,
  { later, isActive, isSimilar }: Continuation,
): MissedSearch['kind'] | undefined {
  const { hits, candidates } = search
  if (hits.length === 0) return candidates.length > 0 ? 'low-confidence' : 'nothing-found'
  if (nextSearches(later).some((event) => isSimilar(event, search))) return 'repeated'
  // A model may search for several things first and call them all afterwards.
  if (later.some((event) => event.kind === 'call' && hits.includes(event.tool))) return undefined
  const hasMovedOn = later.some((event) => event.kind === 'search')
  return hasMovedOn || !isActive ? 'not-called' : undefined
}

/** The next searches, up to the first call of a server's tool. */
function nextSearches(later: readonly ActivityEvent[]): SearchEvent[] {
  const searches: SearchEvent[] = []
  for (const event of later) {
    if (event.kind === 'search') searches.push(event)
    if (searches.length === REPEAT_WINDOW || (event.kind === 'call' && event.server !== undefined))
      break
  }
  return searches
}

function add(
  groups: Map<string, MissedSearch>,
  { query, at, hits, candidates }: SearchEvent,
  kind: MissedSearch['kind'],
): void {
  const key = `${kind} ${query.trim().toLowerCase()}`
  const before = groups.get(key)
  const times = (before?.times ?? 0) + 1
  const isLatest = before === undefined || at >= before.lastAt
  const latest = { query, kind, times, lastAt: at, hits, candidates }
  groups.set(key, isLatest ? latest : { ...before, times })
}
