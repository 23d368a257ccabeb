import type { Upstream } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources that clients have subscribed to. The gateway subscribes to a resource when the first
 * client does, and unsubscribes when the last one does.
 */
export interface Subscriptions {
  /** Rejects if the server rejects the subscription, or if the person has too many. */
  add(client: SubscribingClient, upstream: Upstream, uri: string): Promise<void>
  remove(connection: object, uri: string): Promise<void>
  /** Whether the client has subscribed to the resource of that server. */
  has(connection: object, server: string, uri: string): boolean
  /** Removes every subscription of a client that has disconnected. */
  forget(connection: object): void
}

interface SubscribingClient {
  readonly connection: object
  /** The id of the person who uses it. */
  readonly person: string
}

/** A resource that clients watch. Several servers can have the same URI. */
interface Watched {
  readonly upstream: Upstream
  readonly uri: string
  /** The people who use the clients, by connection. */
  readonly clients: Map<object, string>
  /** Rejects if the server rejects the subscription. */
  readonly accepted: Promise<void>
  isAccepted: boolean
}

/** Of one person, with all clients together. */
const MAX_PER_PERSON = 4_096

export function createSubscriptions(
  servers: Pick<UpstreamSet, 'upstreams' | 'subscribe'>,
  maxPerPerson: number = MAX_PER_PERSON,
): Subscriptions {
  const watched = new Map<Upstream, Map<string, Watched>>()
  /** What each connection watches, by URI. */
  const byConnection = new Map<object, Map<string, Set<Watched>>>()
  const counts = new Map<string, number>()
  const disconnected = new WeakSet<object>()

  // A reconfigured server is a new upstream without the subscriptions of the old one.
  servers.subscribe((name) => {
    const current = servers.upstreams.get(name)
    // Wait until it is ready: the old process may still hold a resource that the new one needs to start.
    if (current?.status.state !== 'ready') return
    for (const [upstream, entries] of [...watched]) {
      if (upstream.name !== name || upstream === current) continue
      for (const entry of [...entries.values()]) {
        for (const [connection, person] of [...entry.clients]) {
          unlink(entry, connection)
          void add({ connection, person }, current, entry.uri).catch(() => {})
        }
      }
    }
  })

  async function add(
    { connection, person }: SubscribingClient,
    upstream: Upstream,
    uri: string,
  ): Promise<void> {
    // The client may have disconnected while the server was looked for.
    if (disconnected.has(connection)) return
    const known = watched.get(upstream)?.get(uri)
    if (!known?.clients.has(connection) && countOf(person) >= maxPerPerson) {
      throw new Error(`You watch ${maxPerPerson} resources already. Unsubscribe from some first.`)
    }
    const entry = known ?? watch(upstream, uri)
    link(entry, connection, person)
    try {
      await entry.accepted
    } catch (error) {
      unlink(entry, connection)
      throw error
    }
  }

  function watch(upstream: Upstream, uri: string): Watched {
    const accepted = upstream.watchResource(uri).then(() => {
      entry.isAccepted = true
      return unwatchUnused(entry)
    })
    const entry: Watched = { upstream, uri, clients: new Map(), accepted, isAccepted: false }
    const entries = watched.get(upstream) ?? new Map<string, Watched>()
    watched.set(upstream, entries.set(uri, entry))
    return entry
  }

  function link(entry: Watched, connection: object, person: string): void {
    if (entry.clients.has(connection)) return
    entry.clients.set(connection, person)
    counts.set(person, countOf(person) + 1)
    const own = byConnection.get(connection) ?? new Map<string, Set<Watched>>()
    byConnection.set(connection, own.set(entry.uri, (own.get(entry.uri) ?? new Set()).add(entry)))
  }

  function unlink(entry: Watched, connection: object): void {
    const { upstream, uri, clients } = entry
    const person = clients.get(connection)
    if (person === undefined) return
    clients.delete(connection)
    const count = countOf(person) - 1
    if (count > 0) counts.set(person, count)
    else counts.delete(person)
    const own = byConnection.get(connection)
    own?.get(uri)?.delete(entry)
    if (own?.get(uri)?.size === 0) own.delete(uri)
    if (own?.size === 0) byConnection.delete(connection)
    const entries = watched.get(upstream)
    if (clients.size === 0) entries?.delete(uri)
    if (entries?.size === 0) watched.delete(upstream)
  }

  async function release(entry: Watched, connection: object): Promise<void> {
    unlink(entry, connection)
    // Otherwise the server has not answered yet. Unsubscribing would have no effect.
    if (entry.isAccepted) await unwatchUnused(entry)
  }

  async function unwatchUnused({ upstream, uri }: Watched): Promise<void> {
    if (!watched.get(upstream)?.has(uri)) await upstream.unwatchResource(uri)
  }

  function countOf(person: string): number {
    return counts.get(person) ?? 0
  }

  return {
    add,
    async remove(connection, uri) {
      for (const entry of [...(byConnection.get(connection)?.get(uri) ?? [])]) {
        await release(entry, connection)
      }
    },
    has: (connection, server, uri) =>
      [...(byConnection.get(connection)?.get(uri) ?? [])].some(
        ({ upstream }) => upstream.name === server,
      ),
    forget(connection) {
      disconnected.add(connection)
      for (const entries of [...(byConnection.get(connection)?.values() ?? [])]) {
        for (const entry of [...entries]) void release(entry, connection).catch(() => {})
      }
    },
  }
}
