import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'

/** The servers behind the gateway, as far as this side needs to know them. */
export interface UpstreamSet {
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** The listener runs after the tools or the status of a server changed, or a server went away. */
  subscribe(listener: (name: string) => void): () => void
  /** The listener gets what servers notify of that belongs to no request. */
  onNotification(listener: (name: string, method: string, params: JsonObject) => void): () => void
}
