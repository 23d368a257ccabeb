import type { Resources } from './resources.ts'

/** Who wants to hear of which resource. A server is told of the first and of the last one. */
export interface Subscriptions {
  /** Rejects as the server that has the resource does. */
  add(party: object, uri: string): Promise<void>
  remove(party: object, uri: string): Promise<void>
  has(party: object, uri: string): boolean
  /** Ends all of a party that has gone. */
  forget(party: object): void
}

export function createSubscriptions(resources: Pick<Resources, 'find'>): Subscriptions {
  const parties = new Map<string, Set<object>>()

  async function remove(party: object, uri: string): Promise<void> {
    const watching = parties.get(uri)
    if (!watching?.delete(party) || watching.size > 0) return
    parties.delete(uri)
    await (await resources.find(uri)).request('resources/unsubscribe', { uri }, { own: true })
  }

  return {
    async add(party, uri) {
      const watching = parties.get(uri)
      if (watching) {
        watching.add(party)
        return
      }
      await (await resources.find(uri)).request('resources/subscribe', { uri }, { own: true })
      parties.set(uri, (parties.get(uri) ?? new Set()).add(party))
    },
    remove,
    has: (party, uri) => parties.get(uri)?.has(party) === true,
    forget(party) {
      for (const [uri, watching] of parties) {
        if (watching.has(party)) void remove(party, uri).catch(() => {})
      }
    },
  }
}
