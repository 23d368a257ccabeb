import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from './problem.ts'
import type { JsonObject } from './recorded-request.ts'
import type { Reply } from './reply.ts'

/** One provider's API, as far as a client can tell it from the real one. */
export interface Service {
  /** Whether requests to this path (with its query) are for this service. */
  matches(path: string): boolean
  /** Why the real service would refuse the request; `undefined` when it would serve it. */
  check(body: JsonObject, headers: IncomingHttpHeaders): Problem | undefined
  /** Whether the request asks for events instead of a whole reply. */
  streams(body: JsonObject, path: string): boolean
  /** The reply as one JSON body. Throws when the service cannot say such a thing. */
  encode(reply: Reply, body: JsonObject): unknown
  /** The reply as server-sent events, each as the text that goes over the wire. */
  stream(reply: Reply, body: JsonObject): readonly string[]
  /** The prompt in the order the model reads it, piece by piece. */
  promptOf(body: JsonObject): readonly string[]
  /** A problem outside of the service's own checks: no such path, no JSON, a broken script. */
  problem(status: number, message: string): Problem
}
