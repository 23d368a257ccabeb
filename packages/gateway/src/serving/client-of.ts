import type { GatewayClient } from '../offering/gateway.ts'
import { isObject } from '../protocol/json-object.ts'

/**
 * Who calls, by what it says of itself (`clientInfo`) and the connection it calls on.
 *
 * @param connection left out where there are no connections: then programs of the same name and
 * version are one
 */
export function clientOf(info: unknown, connection?: string): GatewayClient | undefined {
  const { name, version } = isObject(info) ? info : {}
  if (connection === undefined && name === undefined) return undefined
  const called = typeof name === 'string' ? name : 'unknown'
  return { id: connection ?? `${called} ${version}`, name: called }
}

/** Tells a connection from others. Whoever knows the whole id of a session could speak in it. */
export function connectionId(session: string | undefined): string {
  return session === undefined ? 'stdio' : session.slice(0, 8)
}
