import type { UpstreamSet } from './upstream-set.ts'

/** From the least to the most urgent. */
const LEVELS: readonly unknown[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** Which level of log messages clients of the older era want, as the servers must know. */
export interface LogLevels {
  set(party: object, level: string): void
  /** A party has gone. */
  forget(party: object): void
}

// kept by connection and not by gateway: who passes a message on has nothing but the connection
const chosen = new WeakMap<object, string>()

/** The level a connection has chosen, if it has. */
export function logLevelOf(party: object): string | undefined {
  return chosen.get(party)
}

/** Whether a connection wants a message of that level. One that has chosen none wants all. */
export function wantsLog(party: object, level: unknown): boolean {
  const lowest = chosen.get(party)
  return lowest === undefined || LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)
}

/**
 * Tells all servers of the lowest level that any client has chosen: some log nothing before they are
 * told. When the last client has gone, the servers are let be.
 */
export function createLogLevels(servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>): LogLevels {
  const parties = new Set<object>()

  function lowest(): string | undefined {
    const ranks = [...parties].map((party) => LEVELS.indexOf(chosen.get(party)))
    return LEVELS[Math.min(...ranks)] as string | undefined
  }

  function tell(names: Iterable<string>): void {
    const level = lowest()
    if (level === undefined) return
    for (const name of names) servers.upstreams.get(name)?.setLogLevel(level)
  }

  // one that is configured anew is another
  servers.subscribe((name) => tell([name]))

  return {
    set(party, level) {
      parties.add(party)
      chosen.set(party, level)
      tell(servers.upstreams.keys())
    },
    forget(party) {
      if (parties.delete(party)) tell(servers.upstreams.keys())
    },
  }
}
