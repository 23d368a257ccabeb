import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Decides whether the callers of a view may know a server, and a notification of it. */
export interface ServerVisibility {
  isVisible(upstream: Upstream): boolean
  mayKnow(server: string, method: string, params: JsonObject): boolean
}

/** Those of the servers that the callers of a view may know. Events of all others are dropped. */
export function visibleServers(
  servers: UpstreamSet,
  { isVisible, mayKnow }: ServerVisibility,
): UpstreamSet {
  function upstreams(): Map<string, Upstream> {
    return new Map([...servers.upstreams].filter(([, upstream]) => isVisible(upstream)))
  }

  return {
    get upstreams() {
      return upstreams()
    },
    subscribe(listener) {
      let known = new Set(upstreams().keys())
      return servers.subscribe((name) => {
        const now = new Set(upstreams().keys())
        const isKnown = known.has(name) || now.has(name)
        known = now
        if (isKnown) listener(name)
      })
    },
    onNotification: (listener) =>
      servers.onNotification((name, method, params) => {
        const upstream = servers.upstreams.get(name)
        if (upstream && isVisible(upstream) && mayKnow(name, method, params)) {
          listener(name, method, params)
        }
      }),
  }
}

/** The servers of two sets. No name is in both. */
export function joinServers(one: UpstreamSet, other: UpstreamSet): UpstreamSet {
  return {
    get upstreams() {
      return new Map([...one.upstreams, ...other.upstreams])
    },
    subscribe(listener) {
      const stops = [one.subscribe(listener), other.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    onNotification(listener) {
      const stops = [one.onNotification(listener), other.onNotification(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
