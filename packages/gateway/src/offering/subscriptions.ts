import type { Upstream } from '../upstreams/upstream.ts'
import type { Resources } from './resources.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources that clients have subscribed to. The gateway subscribes to a resource when the first
 * client does, and unsubscribes when the last one does.
 */
export interface Subscriptions {
  /**
   * Returns false if no server has the resource. Rejects if the server rejects the subscription.
   */
  add(connection: object, uri: string): Promise<boolean>
  remove(connection: object, uri: string): Promise<void>
  has(connection: object, uri: string): boolean
  /** Removes every subscription of a client that has disconnected. */
  forget(connection: object): void
}

interface Watched {
  upstream: Upstream
  readonly connections: Set<object>
}

export function createSubscriptions(
  resources: Pick<Resources, 'find'>,
  servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>,
): Subscriptions {
  const watched = new Map<string, Watched>()
  const disconnected = new WeakSet<object>()

  // A reconfigured server is a new upstream without the subscriptions of the old one.
  servers.subscribe((name) => {
    const current = servers.upstreams.get(name)
    // Wait until it is ready: the old process may still hold a resource that the new one needs to start.
    if (current?.status.state !== 'ready') return
    for (const [uri, entry] of watched) {
      if (entry.upstream.name !== name || entry.upstream === current) continue
      entry.upstream = current
      void current.watchResource(uri).catch(() => {})
    }
  })

  async function remove(connection: object, uri: string): Promise<void> {
    const entry = watched.get(uri)
    if (!entry?.connections.delete(connection) || entry.connections.size > 0) return
    watched.delete(uri)
    await entry.upstream.unwatchResource(uri)
  }

  return {
    async add(connection, uri) {
      if (!watched.has(uri)) {
        const upstream = await resources.find(uri)
        if (!upstream) return false
        await upstream.watchResource(uri)
        // Another client may have subscribed in the meantime.
        if (!watched.has(uri)) watched.set(uri, { upstream, connections: new Set() })
      }
      watched.get(uri)!.connections.add(connection)
      // The client may have disconnected in the meantime.
      if (disconnected.has(connection)) await remove(connection, uri)
      return true
    },
    remove,
    has: (connection, uri) => watched.get(uri)?.connections.has(connection) === true,
    forget(connection) {
      disconnected.add(connection)
      for (const [uri, { connections }] of watched) {
        if (connections.has(connection)) void remove(connection, uri).catch(() => {})
      }
    },
  }
}
