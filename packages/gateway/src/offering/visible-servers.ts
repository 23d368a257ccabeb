import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { discreetUpstream } from './discreet-upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Decides whether the callers of a view may know a server, and a notification of it. */
export interface ServerVisibility {
  isVisible(upstream: Upstream): boolean
  /** Whether they may know why a server fails, and what it logs. */
  mayKnowReasons(server: string): boolean
  mayKnow(server: string, method: string, params: JsonObject): boolean
}

/** Those of the servers that the callers of a view may know. Events of all others are dropped. */
export function visibleServers(
  servers: UpstreamSet,
  { isVisible, mayKnowReasons, mayKnow }: ServerVisibility,
): UpstreamSet {
  const names = () => new Set(upstreams.keys())
  const discreet = new WeakMap<Upstream, Upstream>()
  const upstreams = lazyMap(
    (name) => {
      const upstream = servers.upstreams.get(name)
      return upstream && isVisible(upstream) ? shown(upstream) : undefined
    },
    () =>
      [...servers.upstreams]
        .filter(([, upstream]) => isVisible(upstream))
        .map(([name, upstream]) => [name, shown(upstream)]),
  )

  function shown(upstream: Upstream): Upstream {
    if (mayKnowReasons(upstream.name)) return upstream
    // The same object each time, because others compare servers.
    const known = discreet.get(upstream) ?? discreetUpstream(upstream)
    discreet.set(upstream, known)
    return known
  }

  return {
    upstreams,
    subscribe(listener) {
      let known = names()
      return servers.subscribe((name) => {
        const now = names()
        const isKnown = known.has(name) || now.has(name)
        known = now
        if (isKnown) listener(name)
      })
    },
    onNotification: (listener) =>
      servers.onNotification((name, method, params) => {
        if (upstreams.has(name) && mayKnow(name, method, params)) listener(name, method, params)
      }),
  }
}

/** The servers of two sets. No name is in both. */
export function joinServers(one: UpstreamSet, other: UpstreamSet): UpstreamSet {
  return {
    upstreams: lazyMap(
      (name) => one.upstreams.get(name) ?? other.upstreams.get(name),
      () => [...one.upstreams, ...other.upstreams],
    ),
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

type Upstreams = UpstreamSet['upstreams']

/** A map that is always up to date. Looking up a server, which each call does, reads no other. */
function lazyMap(
  get: (name: string) => Upstream | undefined,
  entries: () => [string, Upstream][],
): Upstreams {
  const current = () => new Map(entries())
  return {
    get,
    has: (name) => get(name) !== undefined,
    get size() {
      return entries().length
    },
    keys: () => current().keys(),
    values: () => current().values(),
    entries: () => current().entries(),
    forEach(callback, self) {
      current().forEach(callback, self)
    },
    [Symbol.iterator]: () => current().entries(),
  }
}
