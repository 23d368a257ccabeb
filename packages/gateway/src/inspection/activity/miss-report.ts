import type { SearchEvent } from './activity-report.ts'
import { groupBy } from './group-by.ts'
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

const MAX_QUERIES = 20
const MAX_CLIENTS = 10
/** Rarer queries are counted, but not listed: comparing all with each other would take too long. */
const MAX_DISTINCT = 5_000

/** A search of the period. */
export type ReportedSearch = Pick<SearchEvent, 'query' | 'at' | 'client' | 'hits' | 'candidates'>

export interface MissReportOptions {
  /** Tools that searches can return, in the order of the report. */
  readonly tools: readonly { readonly name: string; readonly server: string }[]
  readonly since: string
  readonly until: string
}

/**
 * @param searches all searches of the period
 * @param kindOf why a search counts as missed; `undefined` if it does not
 */
export function missReport<Search extends ReportedSearch>(
  searches: readonly Search[],
  kindOf: (search: Search) => MissKind | undefined,
  { tools, since, until }: MissReportOptions,
): MissReport {
  const missed = searches.flatMap((search) => {
    const kind = kindOf(search)
    return kind ? { search, kind } : []
  })
  const groups = groupSimilar(missed).map(summarize)
  const found = new Set(searches.flatMap(({ hits }) => hits))
  const neededSearches = searchesNeeded(tools.length)
  const isEnough = searches.length >= neededSearches
  return {
    since,
    until,
    searches: groups.sort((a, b) => b.times - a.times || compare(b.lastAt, a.lastAt)),
    neverFound: isEnough ? tools.filter(({ name }) => !found.has(name)) : [],
    neededSearches,
    total: searches.length,
    missed: missed.length,
  }
}

/**
 * How many searches make "never found" worth showing. A search returns about five tools, so fewer
 * searches than this could not have found most of them.
 */
function searchesNeeded(tools: number): number {
  return Math.min(500, Math.max(20, Math.ceil(tools / 2)))
}

interface Missed {
  readonly search: ReportedSearch
  readonly kind: MissKind
}

/**
 * Puts similar queries into one group. Starts with the most frequent query and compares each with the
 * first query of a group, so a chain of small differences does not connect unrelated queries.
 */
function groupSimilar(missed: readonly Missed[]): Missed[][] {
  const byQuery = groupBy(missed, ({ search }) => keyOf(search.query))
  const frequentFirst = [...byQuery.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_DISTINCT)
  const groups: { words: ReadonlySet<string>; missed: Missed[] }[] = []
  // Only groups that share a word can be similar.
  const byWord = new Map<string, (typeof groups)[number][]>()
  for (const same of frequentFirst) {
    const words = queryWords(same[0]!.search.query)
    const near = new Set([...words].flatMap((word) => byWord.get(word) ?? []))
    const group = [...near].find((each) => areSimilar(each.words, words))
    if (group) {
      group.missed.push(...same)
      continue
    }
    const added = { words, missed: [...same] }
    groups.push(added)
    for (const word of words) {
      const sharing = byWord.get(word)
      if (sharing) sharing.push(added)
      else byWord.set(word, [added])
    }
  }
  return groups.map((group) => group.missed)
}

function summarize(missed: readonly Missed[]): MissedSearch {
  const byTime = missed.toSorted((a, b) => compare(a.search.at, b.search.at))
  const latest = byTime.at(-1)!.search
  const kinds = counts(missed.map(({ kind }) => kind))
  // The latest spelling represents the queries that differ only in case or spaces.
  const spellings = new Map(byTime.map(({ search }) => [keyOf(search.query), search.query]))
  const queries = counts(byTime.map(({ search }) => keyOf(search.query))).map(([key, times]) => ({
    query: spellings.get(key)!,
    times,
  }))
  return {
    query: queries[0]!.query,
    queries: queries.slice(0, MAX_QUERIES),
    kind: kinds[0]![0],
    kinds: Object.fromEntries(kinds),
    times: missed.length,
    firstAt: byTime[0]!.search.at,
    lastAt: latest.at,
    hits: latest.hits,
    candidates: latest.candidates,
    clients: [...new Set(missed.map(({ search }) => search.client))].slice(0, MAX_CLIENTS),
  }
}

function keyOf(query: string): string {
  return query.trim().toLowerCase()
}

/** How often each value occurs, most frequent first. */
function counts<Value>(values: readonly Value[]): [Value, number][] {
  const groups = groupBy(values, (value) => value)
  return [...groups]
    .map(([value, { length }]): [Value, number] => [value, length])
    .sort((a, b) => b[1] - a[1])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
