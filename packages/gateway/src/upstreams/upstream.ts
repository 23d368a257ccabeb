import type { Limits } from '../config/gateway-config.ts'
import type { CancelSignal } from '../protocol/cancellation.ts'

/** A tool as a server's `tools/list` gives it. Nothing of it is interpreted or left out here. */
export interface McpTool {
  readonly name: string
  readonly [field: string]: unknown
}

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

export type JsonObject = { readonly [key: string]: unknown }

export interface RequestOptions {
  /** Reaches the server as a cancellation. */
  readonly signal?: CancelSignal
  /** Gets the params of each progress notification. */
  readonly onProgress?: (progress: JsonObject) => void
  /** @default the server's own limit */
  readonly timeoutMs?: number
  /** Answers what the server asks while it works on this request, if that is known to belong to it. */
  readonly onServerRequest?: AnswerServerRequest
  /** Gets what the server notifies of, such as log messages, if that is known to belong to this request. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /**
   * Who makes the request. While several are under way at once it is not known which of them a
   * server's question belongs to; if one party made them all, that party is asked.
   */
  readonly party?: object
  /** The gateway's own request: what the server asks meanwhile does not belong to it. */
  readonly own?: boolean
  /** Fields of `_meta` that say who asks, for servers of the newer era: they want it with each request. */
  readonly envelope?: JsonObject
}

/**
 * Answers a request that a server of the older era makes of its client: `elicitation/create`,
 * `sampling/createMessage`, `roots/list`. May reject: the server then gets an error with that
 * message, and the number in `code` if there is one.
 */
export type AnswerServerRequest = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject>

/**
 * - `idle`: its tools are known from before, it starts when it is needed
 * - `connecting`, `ready`, `failed`: `failed` tries again by itself
 * - `needs-sign-in`: it refuses what we show
 */
export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'failed' | 'needs-sign-in'

/** `modern` is 2026-07-28, `legacy` all that begins with `initialize`. */
export type Era = 'legacy' | 'modern'

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
