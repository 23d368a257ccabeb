import type { Limits } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'

/** One server that the gateway calls. It is there from the start, whether or not it can be reached. */
export interface Upstream {
  readonly name: string
  readonly status: UpstreamStatus
  /** Its tools as last seen: live, or from the manifest of an earlier run. */
  readonly tools: readonly McpTool[]
  /** What it says of itself and its tools, if it said something. */
  readonly instructions: string | undefined
  /** What it can do, as it said when it was last connected. */
  readonly capabilities: JsonObject
  /** Connects now unless it is connected. Never rejects: the status tells how it went. */
  connect(): Promise<void>
  /**
   * Sends a request and gives its result, untouched. Connects first if it must.
   * Rejects with UpstreamError, within the time limit whatever the server does.
   */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>
  /**
   * Has the server tell when a resource changes, in the way of its era, also after a restart. What it
   * tells is a notification. Connects first if it must; rejects with UpstreamError if it refuses.
   */
  watchResource(uri: string): Promise<void>
  unwatchResource(uri: string): Promise<void>
  /** From which level on a server of the older era is to log, also after a restart. */
  setLogLevel(level: string): void
  /** Goes by other limits from the next request on. */
  setLimits(limits: Limits): void
  /** Ends the connection and the process behind it. Never rejects. */
  close(): Promise<void>
}

/**
 * - `idle`: its tools are known from before, it starts when it is needed
 * - `connecting`, `ready`, `failed`: `failed` tries again by itself
 * - `needs-sign-in`: it refuses what we show
 */
export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'failed' | 'needs-sign-in'

interface UpstreamStatus {
  readonly state: UpstreamState
  /** Why, in a sentence for a person, with what to do if that is known. */
  readonly detail?: string
  /** The last lines it wrote to stderr. */
  readonly lastWords: readonly string[]
  readonly era?: Era
  /** Lines on stdout that were no messages. */
  readonly strayLines: number
  /** Its process, if it has one. */
  readonly pid?: number
  /** Tools it offers that cannot be served, and why. */
  readonly refused: readonly RefusedTool[]
}

export interface RefusedTool {
  readonly tool: string
  readonly reason: string
}
