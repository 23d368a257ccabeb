import type {
  ActivityEvent,
  ActivityReport,
  CallEvent,
  RunningCall,
  SearchEvent,
  SessionReport,
} from './activity-report.ts'
import type { CallCost } from './token-ledger.ts'

/** A connected agent. Where the protocol has no connections, all requests of a program count as one. */
export interface ActiveClient {
  readonly id: string
  readonly name: string
  /** The id of the person who uses it. Absent for the person at this machine. */
  readonly person?: string
}

/** What is recorded about every finished search or call. */
export interface FinishedCall {
  readonly milliseconds: number
  readonly size: number
  /** Estimated tokens of the answer. @default 0 */
  readonly tokens?: number
  /** Absent if the request was counted already, with another of its queries. */
  readonly cost?: Omit<CallCost, 'definitions'>
  /** Tools whose definitions were part of the answer. @default [] */
  readonly definitions?: readonly SentDefinition[]
}

interface SentDefinition {
  readonly name: string
  readonly tokens: number
  /** The query that found the tool, if there were several. */
  readonly query?: string
}

/** What is known about a search or call before it has an answer. */
export type StartedCall = Pick<RunningCall, 'kind' | 'tool'> & {
  readonly server?: string | undefined
  readonly query?: string | undefined
}

export type ActivityUpdate =
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  /** A session changed: call `session(id)` for its current state. */
  | { readonly kind: 'session'; readonly id: string }
  /** A call started or ended: call `running()` for the calls in progress. */
  | { readonly kind: 'running' }

/** Keeps a bounded history of what agents do, in memory. Stores no arguments and no results. */
export interface Activity {
  connected(client: ActiveClient): void
  disconnected(id: string): void
  /** Returns a function to call when the search or call has ended. */
  started(client: ActiveClient, call: StartedCall): () => void
  searched(
    client: ActiveClient,
    search: FinishedCall &
      Pick<SearchEvent, 'query' | 'hits' | 'candidates'> & { servers?: readonly string[] },
  ): void
  called(
    client: ActiveClient,
    call: FinishedCall &
      Pick<CallEvent, 'tool'> & {
        server?: string | undefined
        failure?: string | undefined
        script?: string | undefined
      },
  ): void
  /** The tool list changed for one session, or for all open sessions. */
  listChanged(reason: string, session?: string): void
  report(): ActivityReport
  /** Calls in progress, the longest-running first, at most 100. */
  running(): readonly RunningCall[]
  /** Returns `undefined` if the session is no longer in memory. */
  session(id: string): SessionReport | undefined
  /** How often searches returned a tool, and how often agents called it, since the start. */
  timesFound(tool: string): number
  timesCalled(tool: string): number
  /** The listener must not throw. */
  subscribe(listener: (update: ActivityUpdate) => void): () => void
}
