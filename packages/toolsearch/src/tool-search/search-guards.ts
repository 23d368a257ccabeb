/** What one session has searched lately. */
interface Trail {
  readonly times: number[]
  latest: string
  repeats: number
}

export interface SearchGuards {
  /** Whether the session may search now; if so, the search is counted. */
  admit(sessionId: string): boolean
  /**
   * How many times in a row this session has made this very search before. The text must tell the
   * search and change with anything that could change its result.
   */
  repeats(sessionId: string, search: string): number
  /** The model no longer knows what it searched for. Its rate is still limited. */
  forget(sessionId: string): void
}

export interface SearchGuardsOptions {
  readonly rateLimit?: { readonly calls: number; readonly windowMs: number } | undefined
  /** @default Date.now */
  readonly now?: () => number
  /**
   * How many sessions are watched; the one that searched first is forgotten first.
   * @default 4_096
   */
  readonly maxSessions?: number
}

/** Watches for a model that searches too often, or the same thing again and again. */
export function createSearchGuards({
  rateLimit,
  now = Date.now,
  maxSessions = 4_096,
}: SearchGuardsOptions = {}): SearchGuards {
  const trails = new Map<string, Trail>()
  return {
    admit(sessionId) {
      if (rateLimit === undefined || rateLimit.calls === 0) return true
      const { times } = trailOf(sessionId)
      while (times.length > 0 && times[0]! <= now() - rateLimit.windowMs) times.shift()
      if (times.length >= rateLimit.calls) return false
      times.push(now())
      return true
    },
    repeats(sessionId, search) {
      const trail = trailOf(sessionId)
      trail.repeats = trail.latest === search ? trail.repeats + 1 : 0
      trail.latest = search
      return trail.repeats
    },
    forget(sessionId) {
      const trail = trails.get(sessionId)
      if (trail) trail.latest = ''
    },
  }

  function trailOf(sessionId: string): Trail {
    let trail = trails.get(sessionId)
    if (trail === undefined) {
      trail = { times: [], latest: '', repeats: 0 }
      trails.set(sessionId, trail)
      for (const oldest of trails.keys()) {
        if (trails.size <= maxSessions) break
        trails.delete(oldest)
      }
    }
    return trail
  }
}
