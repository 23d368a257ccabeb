import type { Upstream } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources that clients have subscribed to. The gateway subscribes to a resource when the first
 * client does, and unsubscribes when the last one does.
 */
export interface Subscriptions {
  /** Rejects if the server rejects the subscription. */
  add(connection: object, upstream: Upstream, uri: string): Promise<void>
  remove(connection: object, uri: string): Promise<void>
  /** Whether the client has subscribed to the resource of that server. */
  has(connection: object, server: string, uri: string): boolean
  /** Removes every subscription of a client that has disconnected. */
  forget(connection: object): void
}

/** A resource that clients watch. Several servers can have the same URI. */
interface Watched {
  upstream: Upstream
  readonly uri: string
  readonly connections: Set<object>
}

export function createSubscriptions(
  servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>,
): Subscriptions {
  const watched = new Set<Watched>()
  const disconnected = new WeakSet<object>()

  // A reconfigured server is a new upstream without the subscriptions of the old one.
  servers.subscribe((name) => {
    const current = servers.upstreams.get(name)
    // Wait until it is ready: the old process may still hold a resource that the new one needs to start.
    if (current?.status.state !== 'ready') return
    for (const entry of watched) {
      if (entry.upstream.name !== name || entry.upstream === current) continue
      entry.upstream = current
      void current.watchResource(entry.uri).catch(() => {})
    }
  })

  function find(upstream: Upstream, uri: string): Watched | undefined {
    return [...watched].find((entry) => entry.upstream === upstream && entry.uri === uri)
  }

  async function release(entry: Watched, connection: object): Promise<void> {
    if (!entry.connections.delete(connection) || entry.connections.size > 0) return
    watched.delete(entry)
    await entry.upstream.unwatchResource(entry.uri)
  }

  async function remove(connection: object, uri: string): Promise<void> {
    for (const entry of watched) if (entry.uri === uri) await release(entry, connection)
  }

  return {
    async add(connection, upstream, uri) {
      if (!find(upstream, uri)) {
        await upstream.watchResource(uri)
        // Another client may have subscribed in the meantime.
        if (!find(upstream, uri)) watched.add({ upstream, uri, connections: new Set() })
      }
      find(upstream, uri)!.connections.add(connection)
      // The client may have disconnected in the meantime.
      if (disconnected.has(connection)) await remove(connection, uri)
    },
    remove,
    has: (connection, server, uri) =>
      [...watched].some(
        (entry) =>
          entry.uri === uri && entry.upstream.name === server && entry.connections.has(connection),
      ),
    forget(connection) {
      disconnected.add(connection)
      for (const entry of watched) void release(entry, connection).catch(() => {})
    },
  }
}
