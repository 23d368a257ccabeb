import type { HistoryEntry } from './history-entry.ts'
import type { Period } from './history-store.ts'

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

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MAX_BUCKETS = 120
const SIZES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY, 7 * DAY]

/** @param entries of the period */
export function timeline(
  entries: readonly HistoryEntry[],
  { since, until }: Period,
  isKept: boolean,
): Timeline {
  const length = until - since
  const bucketMs =
    SIZES.find((size) => length / size <= MAX_BUCKETS - 1) ?? Math.ceil(length / (MAX_BUCKETS - 1))
  // Buckets start at full minutes, hours or days (UTC), so that reloading does not shift them.
  const start = Math.floor(since / bucketMs) * bucketMs
  const buckets = Array.from({ length: Math.ceil((until - start) / bucketMs) }, (_, index) => ({
    at: new Date(start + index * bucketMs).toISOString(),
    ...NOTHING,
  }))
  const totals = { ...NOTHING }
  for (const entry of entries) {
    const bucket = buckets[Math.floor((Date.parse(entry.at) - start) / bucketMs)]
    for (const counts of bucket ? [bucket, totals] : []) count(counts, entry)
  }
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucketMs,
    buckets,
    totals,
    isKept,
  }
}

type Counts = { -readonly [Key in keyof TimelineCounts]: TimelineCounts[Key] }

const NOTHING: TimelineCounts = { searches: 0, calls: 0, errors: 0, misses: 0, tokens: 0 }

function count(counts: Counts, entry: HistoryEntry): void {
  counts.tokens += entry.tokens
  if (entry.kind === 'search') {
    counts.searches += 1
    counts.misses += Number(entry.miss !== undefined)
  } else {
    counts.calls += 1
    counts.errors += Number(entry.failure !== undefined)
  }
}
