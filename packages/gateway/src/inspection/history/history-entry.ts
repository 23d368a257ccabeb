import type { CallEvent, SearchEvent } from '../activity/activity-report.ts'
import type { MissKind } from '../activity/miss-report.ts'

/** A search or a call as it is kept on disk. Contains no arguments and no results. */
export type HistoryEntry = SearchEntry | CallEntry

export interface SearchEntry extends Omit<SearchEvent, 'id'> {
  /** Unique, and sorted like the entries. */
  readonly id: string
  /** Present if the search did not help the agent. */
  readonly miss?: MissKind
}

export interface CallEntry extends Omit<CallEvent, 'id'> {
  readonly id: string
}

/** A part of the history, latest first. */
export interface HistoryPage {
  /** The period; ISO dates. */
  readonly since: string
  readonly until: string
  readonly entries: readonly HistoryEntry[]
  /** How many entries of the period match the filters. */
  readonly total: number
  /** Pass as `before` to get the next page; absent on the last one. */
  readonly next?: string
  /** The servers and clients in the period, sorted, to filter by. */
  readonly servers: readonly string[]
  readonly clients: readonly string[]
  /** False if history is off: then only what is in memory is searched. */
  readonly isKept: boolean
}
