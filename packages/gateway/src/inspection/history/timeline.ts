/** Activity over time. */
export interface Timeline {
  /** The period; ISO dates. */
  readonly since: string
  readonly until: string
  readonly bucketMs: number
  /** Oldest first, without gaps, at most 120. */
  readonly buckets: readonly TimelineBucket[]
  readonly totals: TimelineCounts
  /** False if history is off: then only what is in memory is counted. */
  readonly isKept: boolean
}

export interface TimelineCounts {
  readonly searches: number
  readonly calls: number
  /** Failed calls. */
  readonly errors: number
  /** Searches that did not help the agent. */
  readonly misses: number
  /** Estimated tokens of the answers. */
  readonly tokens: number
}

export interface TimelineBucket extends TimelineCounts {
  /** When it starts; ISO date. */
  readonly at: string
}
