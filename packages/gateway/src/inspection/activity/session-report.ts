import type { ActivityEvent } from './activity-event.ts'

/** What agents did since the gateway started, as far as it is remembered. */
export interface ActivityReport {
  /** The one that was active last is first. */
  readonly sessions: readonly SessionReport[]
  /** The latest is first. */
  readonly events: readonly ActivityEvent[]
}

export interface SessionReport {
  readonly id: string
  readonly client: string
  readonly transport: 'stdio' | 'http'
  /** ISO dates. */
  readonly since: string
  readonly lastActive: string
  /** Connected; where the protocol has no connections, active in the last ten minutes. */
  readonly isOpen: boolean
  readonly searches: number
  /** Of tools of servers and of the gateway, but for searches. */
  readonly calls: number
  /** Tools whose definitions the model was given, in that order. */
  readonly loaded: readonly LoadedTool[]
  readonly ledger: TokenLedger
  readonly cacheBreaks: readonly CacheBreak[]
}

export interface LoadedTool {
  readonly name: string
  readonly tokens: number
  readonly at: string
  /** The search that brought it. */
  readonly query?: string
  readonly calls: number
}

/**
 * Tokens of one session. After each call the model is asked once more, with the list and all that was
 * answered so far: that is the least it can be, and what is counted.
 */
export interface TokenLedger {
  readonly requests: number
  /** The list, in each request. */
  readonly listing: number
  /** What was answered about tools, in each request after it. */
  readonly searches: number
  /** Definitions of tools among that. */
  readonly loaded: number
  /** What every tool in each request would have cost beyond that. Below 0 if it would have been less. */
  readonly saved: number
}

/** The list changed while the session went on, so a provider's cache of its prompt was lost. */
export interface CacheBreak {
  readonly at: string
  readonly reason: string
}
