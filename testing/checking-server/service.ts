import type { IncomingHttpHeaders } from 'node:http'
import type { CallableTool } from './callable-tool.ts'
import type { Problem } from './problem.ts'
import type { JsonObject } from './recorded-request.ts'
import type { Reply } from './reply.ts'

/** The API of one provider, as a client sees it. */
export interface Service {
  /** Whether the service handles requests to this path (including the query). */
  matches(path: string): boolean
  /** Why the real service would reject the request; undefined if it would accept it. */
  check(body: JsonObject, headers: IncomingHttpHeaders): Problem | undefined
  /** Whether the request asks for a streamed reply. */
  streams(body: JsonObject, path: string): boolean
  /**
   * The tools that the model can call in a reply to the request, with their schemas as the service reads
   * them. Of several definitions of a name, the first one counts.
   */
  callableTools(body: JsonObject, reply: Reply): readonly CallableTool[]
  /** The reply as a JSON body. @throws ImpossibleReplyError */
  encode(reply: Reply, body: JsonObject): unknown
  /** The reply as the texts of its server-sent events. @throws ImpossibleReplyError */
  stream(reply: Reply, body: JsonObject): readonly string[]
  /** The parts of the prompt, in the order in which the model reads them. */
  promptOf(body: JsonObject): readonly string[]
  /** A problem found by the server itself: unknown path, invalid JSON, failed script. */
  problem(status: number, message: string): Problem
}
