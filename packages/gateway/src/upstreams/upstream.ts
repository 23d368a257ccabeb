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
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Connects now unless it is connected. Never rejects: the status tells how it went. */
  connect(): Promise<void>
  /**
   * Sends a request and gives its result, untouched. Connects first if it must.
   * Rejects with UpstreamError, within the time limit whatever the server does.
   */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>
  /** Ends the connection and the process behind it. Never rejects. */
  close(): Promise<void>
}

export type JsonObject = { readonly [key: string]: unknown }

export interface RequestOptions {
  /** Reaches the server as a cancellation. */
  readonly signal?: AbortSignal
  /** Gets the params of each progress notification. */
  readonly onProgress?: (progress: JsonObject) => void
  /** @default the server's own limit */
  readonly timeoutMs?: number
}

/**
 * - `idle`: its tools are known from before, it starts when it is needed
 * - `connecting`, `ready`, `failed`: `failed` tries again by itself
 * - `needs-sign-in`: it refuses what we show
 */
export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'failed' | 'needs-sign-in'

export interface UpstreamStatus {
  readonly state: UpstreamState
  /** Why, in a sentence for a person, with what to do if that is known. */
  readonly detail?: string
  /** The last lines it wrote to stderr. */
  readonly lastWords: readonly string[]
  readonly era?: 'legacy' | 'modern'
  /** Tools it offers that cannot be served, and why. */
  readonly refused: readonly { readonly tool: string; readonly reason: string }[]
}
