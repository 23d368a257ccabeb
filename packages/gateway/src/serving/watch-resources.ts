import type { Caller } from '../identity/caller.ts'
import type { Resources } from '../offering/resources.ts'
import type { Subscriptions } from '../offering/subscriptions.ts'

/** The resources that a client listens for. */
interface ResourceWatch {
  /** Those that servers report on. */
  readonly uris: readonly string[]
  stop(): void
}

/**
 * Subscribes to resources for a client of the modern protocol. A resource that the caller may not read, or
 * whose server refuses, is left out. Never rejects.
 */
export type WatchResources = (uris: readonly string[], caller: Caller) => Promise<ResourceWatch>

/** Further resources of a request are not acknowledged. */
const MAX_RESOURCES = 256

export function createWatchResources(
  subscriptions: Subscriptions,
  resourcesOf: (caller: Caller) => Resources,
): WatchResources {
  return async (uris, caller) => {
    const stream = {}
    async function isWatched(uri: string): Promise<boolean> {
      const upstream = await resourcesOf(caller).find(uri, { person: caller.person.id })
      if (!upstream) return false
      await subscriptions.add({ connection: stream, person: caller.person.id }, upstream, uri)
      return true
    }
    const asked = [...new Set(uris)].slice(0, MAX_RESOURCES)
    const answers = await Promise.all(asked.map((uri) => isWatched(uri).catch(() => false)))
    return {
      uris: asked.filter((_, at) => answers[at]),
      stop: () => subscriptions.forget(stream),
    }
  }
}
