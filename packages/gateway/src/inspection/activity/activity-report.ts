/** What agents did since the gateway started, as far as it is still in memory. */
export interface ActivityReport {
  /** Most recently active first. */
  readonly sessions: readonly SessionReport[]
  /** Latest first. */
  readonly events: readonly ActivityEvent[]
  /** Calls in progress, the longest-running first, at most 100. */
  readonly running: readonly RunningCall[]
}

/** A search or a call that has not finished yet. */
export interface RunningCall {
  readonly id: number
  readonly kind: 'search' | 'call'
  /** ISO date. */
  readonly startedAt: string
  /** How long the call had been running when the report was made. */
  readonly milliseconds: number
  readonly session: string
  readonly client: string
  /** The tool that the agent calls; `tool_search` for a search. */
  readonly tool: string
  /** Absent for the gateway's own tools and for unknown names. */
  readonly server?: string
  /** For a search: the first 300 characters of the query. */
  readonly query?: string
}

/** A search or a call of an agent. */
export type ActivityEvent = SearchEvent | CallEvent

interface EventBase {
  /** Increases with every event. */
  readonly id: number
  readonly at: string
  readonly session: string
  readonly client: string
  /** The id of the person. Absent for the person at this machine. */
  readonly person?: string
  readonly milliseconds: number
  /** Characters of the answer. */
  readonly size: number
  /** Estimated tokens of the answer. */
  readonly tokens: number
  /** What the request to the model that the event belongs to cost, as far as it is known. */
  readonly cost?: EventCost
}

export interface EventCost {
  /** Tokens of the tool list and of all answers about tools. */
  readonly tokens: number
  /** Tokens that sending every tool would have taken in addition. */
  readonly saved: number
}

export interface SearchEvent extends EventBase {
  readonly kind: 'search'
  /** Its first 300 characters. */
  readonly query: string
  /** Tool names, best match first. */
  readonly hits: readonly string[]
  /** Low confidence: the names of the tools that the answer listed without their definitions. */
  readonly candidates: readonly string[]
  /** The servers of the hits and candidates, without duplicates. */
  readonly servers: readonly string[]
}

export interface CallEvent extends EventBase {
  readonly kind: 'call'
  readonly tool: string
  /** Absent for the gateway's own tools and for unknown names. */
  readonly server?: string
  /** If the call failed: the beginning of the error message, as plain text even if the server sent JSON. */
  readonly failure?: string
  /** The script that the call ran, or that made the call. Calls of one script have the same. */
  readonly script?: string
}

export interface SessionReport {
  readonly id: string
  readonly client: string
  /** The id of the person. Absent for the person at this machine. */
  readonly person?: string
  readonly transport: 'stdio' | 'http'
  /** ISO dates. */
  readonly since: string
  readonly lastActive: string
  /** Connected. Where the protocol has no connections: active in the last ten minutes. */
  readonly isOpen: boolean
  readonly searches: number
  /** Calls of server tools and of the gateway's own tools, except searches. */
  readonly calls: number
  /** Tools whose definitions the model received, in that order. */
  readonly loaded: readonly LoadedTool[]
  readonly ledger: TokenLedger
  readonly cacheBreaks: readonly CacheBreak[]
}

export interface LoadedTool {
  readonly name: string
  readonly tokens: number
  readonly at: string
  /** The search that found it. */
  readonly query?: string
  readonly calls: number
}

/**
 * Tokens of one session. Counts one request to the model per call, or per group of parallel calls, each
 * with the tool list and all earlier answers. Real agents may send more.
 */
export interface TokenLedger {
  readonly requests: number
  /** The tool list, in each request. */
  readonly listing: number
  /** Answers about tools, in each later request. */
  readonly searches: number
  /** The tool definitions within `searches`. */
  readonly loaded: number
  /** Tokens saved by the requests that took fewer than every tool would have. Never negative. */
  readonly saved: number
  /** Tokens that the other requests took in addition to what every tool would have. */
  readonly extra: number
}

/** The tool list changed during the session, so the provider's prompt cache was lost. */
export interface CacheBreak {
  readonly at: string
  readonly reason: string
}
