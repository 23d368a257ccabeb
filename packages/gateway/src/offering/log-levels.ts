import type { UpstreamSet } from './upstream-set.ts'

/** In increasing order of severity. */
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

/** The log levels that legacy clients have set. */
export interface LogLevels {
  set(party: object, level: string): void
  /** Call it when a client disconnects. */
  forget(party: object): void
}

// Module state, because the code that forwards a log message knows only the connection.
const chosen = new WeakMap<object, string>()

/** The level that a connection has set, if any. */
export function logLevelOf(party: object): string | undefined {
  return chosen.get(party)
}

/** Whether a connection wants a message of that level. Without a level set, it wants all. */
export function wantsLog(party: object, level: unknown): boolean {
  const lowest = chosen.get(party)
  return lowest === undefined || LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)
}

/**
 * Sends every server the lowest level that any client has set: some servers log nothing until they
 * receive one. After the last client has disconnected, the servers keep their level.
 */
export function createLogLevels(servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>): LogLevels {
  const parties = new Set<object>()

  function lowest(): string | undefined {
    const ranks = [...parties].map((party) => LEVELS.indexOf(chosen.get(party)))
    return LEVELS[Math.min(...ranks)] as string | undefined
  }

  function sendLevel(names: Iterable<string>): void {
    const level = lowest()
    if (level === undefined) return
    for (const name of names) servers.upstreams.get(name)?.setLogLevel(level)
  }

  // A reconfigured server is a new upstream, which has not received the level yet.
  servers.subscribe((name) => sendLevel([name]))

  return {
    set(party, level) {
      parties.add(party)
      chosen.set(party, level)
      sendLevel(servers.upstreams.keys())
    },
    forget(party) {
      if (parties.delete(party)) sendLevel(servers.upstreams.keys())
    },
  }
}
