import { deleteOldest } from '../delete-oldest.ts'

export interface SearchGuards {
  /** Returns whether the session may search now and, if so, counts the search. */
  admit(sessionId: string): boolean
  /**
   * Counts this search and returns how many times in a row the session already ran it. `search` must
   * identify the search and everything that could change its result.
   */
  repeats(sessionId: string, search: string): number
  /** Resets the repeat count because the model lost its history. The rate limit still applies. */
  forget(sessionId: string): void
}

export interface SearchGuardsOptions {
  readonly rateLimit?: { readonly calls: number; readonly windowMs: number } | undefined
  /** @default Date.now */
  readonly now?: () => number
  /**
   * Maximum number of sessions to track. Beyond that, the one tracked longest is dropped.
   * @default 4_096
   */
  readonly maxSessions?: number
}

/** The recent searches of one session. */
interface RecentSearches {
  readonly times: number[]
  latest: string
  repeats: number
}

/** Detects a model that searches too often or repeats the same search. */
export function createSearchGuards({
  rateLimit,
  now = Date.now,
  maxSessions = 4_096,
}: SearchGuardsOptions = {}): SearchGuards {
  const sessions = new Map<string, RecentSearches>()
  return {
    admit(sessionId) {
      if (rateLimit === undefined || rateLimit.calls === 0) return true
      const { times } = searchesOf(sessionId)
      while (times.length > 0 && times[0]! <= now() - rateLimit.windowMs) times.shift()
      if (times.length >= rateLimit.calls) return false
      times.push(now())
      return true
    },
    repeats(sessionId, search) {
      const searches = searchesOf(sessionId)
      searches.repeats = searches.latest === search ? searches.repeats + 1 : 0
      searches.latest = search
      return searches.repeats
    },
    forget(sessionId) {
      const searches = sessions.get(sessionId)
      if (searches) searches.latest = ''
    },
  }

  function searchesOf(sessionId: string): RecentSearches {
    let searches = sessions.get(sessionId)
    if (searches === undefined) {
      searches = { times: [], latest: '', repeats: 0 }
      sessions.set(sessionId, searches)
      deleteOldest(sessions, maxSessions)
    }
    return searches
  }
}
