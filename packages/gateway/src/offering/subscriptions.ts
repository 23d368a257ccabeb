import type { Upstream } from '../upstreams/upstream.ts'
import type { Resources } from './resources.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Who wants to hear of which resource. A server is told of the first and of the last one. */
export interface Subscriptions {
  /** Rejects as the server that has the resource does. */
  add(party: object, uri: string): Promise<void>
  remove(party: object, uri: string): Promise<void>
  has(party: object, uri: string): boolean
  /** Ends all of a party that has gone. */
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

  // one that is configured anew is another, and knows nothing of what the old one was told
  servers.subscribe((name) => {
    const now = servers.upstreams.get(name)
    // not before it is there: the old one may hold what it needs to start
    if (now?.status.state !== 'ready') return
    for (const [uri, entry] of watched) {
      if (entry.upstream.name !== name || entry.upstream === now) continue
      entry.upstream = now
      void now.watchResource(uri).catch(() => {})
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
        await upstream.watchResource(uri)
        // another may have been quicker
        if (!watched.has(uri)) watched.set(uri, { upstream, parties: new Set() })
      }
      watched.get(uri)!.parties.add(party)
      // it may have left while the server was asked
      if (gone.has(party)) await remove(party, uri)
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
