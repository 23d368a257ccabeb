import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'

/** The upstream servers, and events about them. Each method returns a function that unsubscribes. */
export interface UpstreamSet {
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Runs the listener after a server's tools or status changed, or the server was removed. */
  subscribe(listener: (name: string) => void): () => void
  /** Runs the listener for each notification that does not belong to a request. */
  onNotification(listener: (name: string, method: string, params: JsonObject) => void): () => void
}
