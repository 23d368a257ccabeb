import type { Upstream } from '../upstreams/upstream.ts'
import type { Resources } from './resources.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * Which client watches which resource. A server is asked to watch a resource when the first client
 * subscribes, and to stop when the last one unsubscribes.
 */
export interface Subscriptions {
  /**
   * Returns false if no server has the resource. Rejects if the server rejects the subscription.
   */
  add(party: object, uri: string): Promise<boolean>
  remove(party: object, uri: string): Promise<void>
  has(party: object, uri: string): boolean
  /** Removes every subscription of a client that has disconnected. */
  forget(party: object): void
}

interface Watched {
  upstream: Upstream
  readonly parties: Set<object>
}

export function createSubscriptions(
  resources: Pick<Resources, 'find'>,
  servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>,
): Subscriptions {
  const watched = new Map<string, Watched>()
  const gone = new WeakSet<object>()

  // A reconfigured server is a new upstream, which does not know the subscriptions of the old one.
  servers.subscribe((name) => {
    const current = servers.upstreams.get(name)
    // Wait until it is ready: the old process may still hold what the new one needs to start.
    if (current?.status.state !== 'ready') return
    for (const [uri, entry] of watched) {
      if (entry.upstream.name !== name || entry.upstream === current) continue
      entry.upstream = current
      void current.watchResource(uri).catch(() => {})
    }
  })

  async function remove(party: object, uri: string): Promise<void> {
    const entry = watched.get(uri)
    if (!entry?.parties.delete(party) || entry.parties.size > 0) return
    watched.delete(uri)
    await entry.upstream.unwatchResource(uri)
  }

  return {
    async add(party, uri) {
      if (!watched.has(uri)) {
        const upstream = await resources.find(uri)
        if (!upstream) return false
        await upstream.watchResource(uri)
        // Another client may have subscribed in the meantime.
        if (!watched.has(uri)) watched.set(uri, { upstream, parties: new Set() })
      }
      watched.get(uri)!.parties.add(party)
      // The client may have disconnected in the meantime.
      if (gone.has(party)) await remove(party, uri)
      return true
    },
    remove,
    has: (party, uri) => watched.get(uri)?.parties.has(party) === true,
    forget(party) {
      gone.add(party)
      for (const [uri, { parties }] of watched) {
        if (parties.has(party)) void remove(party, uri).catch(() => {})
      }
    },
  }
}
