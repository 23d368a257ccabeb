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

/** The log levels that legacy clients have set, one for each connection. */
export interface LogLevels {
  set(connection: object, level: string): void
  /** Call it when a client disconnects. */
  forget(connection: object): void
}

// Module state, because the code that forwards a log message knows only the connection.
const levels = new WeakMap<object, string>()

/** The level that a connection has set, if any. */
export function logLevelOf(connection: object): string | undefined {
  return levels.get(connection)
}

/** Whether a connection wants messages of that level. It wants all until it has set a level. */
export function wantsLog(connection: object, level: unknown): boolean {
  const lowest = levels.get(connection)
  return lowest === undefined || LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)
}

/**
 * Sends every server the lowest level that any client has set: some servers log nothing until they
 * receive one. After the last client has disconnected, the servers keep their level.
 */
export function createLogLevels(servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>): LogLevels {
  const connections = new Set<object>()

  function lowest(): string | undefined {
    const ranks = [...connections].map((connection) => LEVELS.indexOf(levels.get(connection)))
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
    set(connection, level) {
      connections.add(connection)
      levels.set(connection, level)
      sendLevel(servers.upstreams.keys())
    },
    forget(connection) {
      if (connections.delete(connection)) sendLevel(servers.upstreams.keys())
    },
  }
}
