import type { JsonObject } from '../protocol/json-object.ts'

/** A request to a server, as telemetry sees it. */
export interface OutgoingRequest {
  readonly server: string
  readonly method: string
  readonly params: JsonObject
}

/**
 * Surrounds each request to a server. Calls `send` once, with trace context for the server, which goes
 * into `_meta` and the HTTP headers.
 */
export type AroundRequest = (
  request: OutgoingRequest,
  send: (trace?: Readonly<Record<string, string>>) => Promise<JsonObject>,
) => Promise<JsonObject>
