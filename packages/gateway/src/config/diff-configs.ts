import { isDeepStrictEqual } from 'node:util'
import type { GatewayConfig, ServerConfig } from './gateway-config.ts'

/** What an edit means for servers that are running. */
export interface ConfigDiff {
  readonly added: readonly ServerConfig[]
  readonly removed: readonly ServerConfig[]
  readonly changed: readonly ServerChange[]
  /** The same as before, and to be left alone. */
  readonly kept: readonly ServerConfig[]
  /** Whether something beside the servers changed: mode, pins, limits and so on. */
  readonly settingsChanged: boolean
}

interface ServerChange {
  readonly before: ServerConfig
  readonly after: ServerConfig
  /** False if it can go on running: only hints, limits and the like are new. */
  readonly reconnect: boolean
}

/** Compares by the names of servers. Their order in the file does not matter. */
export function diffConfigs(before: GatewayConfig, after: GatewayConfig): ConfigDiff {
  const { servers: oldServers, ...oldSettings } = before
  const { servers: newServers, ...newSettings } = after
  const old = new Map(oldServers.map((server) => [server.name, server]))
  const names = new Set(newServers.map((server) => server.name))
  const changed: ServerChange[] = []
  const kept: ServerConfig[] = []
  for (const server of newServers) {
    const earlier = old.get(server.name)
    if (!earlier) continue
    if (isDeepStrictEqual(earlier, server)) kept.push(server)
    else changed.push({ before: earlier, after: server, reconnect: mustReconnect(earlier, server) })
  }
  return {
    added: newServers.filter((server) => !old.has(server.name)),
    removed: oldServers.filter((server) => !names.has(server.name)),
    changed,
    kept,
    settingsChanged: !isDeepStrictEqual(oldSettings, newSettings),
  }
}

function mustReconnect(before: ServerConfig, after: ServerConfig): boolean {
  return (
    before.disabled !== after.disabled || !isDeepStrictEqual(before.connection, after.connection)
  )
}

/** Whether there is nothing to do. */
export function isUnchanged({ added, removed, changed, settingsChanged }: ConfigDiff): boolean {
  return added.length + removed.length + changed.length === 0 && !settingsChanged
}
