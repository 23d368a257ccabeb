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
  /** @param reaches whether the client may know a server. Others do not get its level */
  set(connection: object, level: string, reaches: (server: string) => boolean): void
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
 * Sends every server the lowest level that a client of the server has set: some servers log nothing until they
 * receive one. After the last client has disconnected, the servers keep their level.
 */
export function createLogLevels(servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>): LogLevels {
  const connections = new Map<object, (server: string) => boolean>()

  function sendLevel(name: string): void {
    let lowest = LEVELS.length
    for (const [connection, reaches] of connections) {
      const rank = LEVELS.indexOf(levels.get(connection))
      if (rank < lowest && reaches(name)) lowest = rank
    }
    const level = LEVELS[lowest] as string | undefined
    if (level !== undefined) servers.upstreams.get(name)?.setLogLevel(level)
  }

  function sendLevels(): void {
    for (const name of servers.upstreams.keys()) sendLevel(name)
  }

  // A reconfigured server is a new upstream, which has not received the level yet.
  servers.subscribe(sendLevel)

  return {
    set(connection, level, reaches) {
      connections.set(connection, reaches)
      levels.set(connection, level)
      sendLevels()
    },
    forget(connection) {
      if (connections.delete(connection)) sendLevels()
    },
  }
}
