import type { ActivityEvent, CallEvent, SearchEvent } from './activity-event.ts'
import type { ActivityReport, SessionReport } from './session-report.ts'
import type { CallCost } from './token-ledger.ts'

/** Whoever is connected. Where the protocol has no connections, all requests of one program are one. */
export interface ActiveClient {
  readonly id: string
  readonly name: string
}

/** What is told of anything that was done. */
export interface Done {
  readonly milliseconds: number
  readonly size: number
  readonly cost: Omit<CallCost, 'definitions'>
  /** Tools whose definitions were in the answer. @default [] */
  readonly definitions?: readonly { readonly name: string; readonly tokens: number }[]
}

export type ActivityNews =
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  /** Something about a session is another: `session` tells. */
  | { readonly kind: 'session'; readonly id: string }

/** Remembers what agents do, in memory and within bounds. Arguments and results are not kept. */
export interface Activity {
  /** A client has connected, and will be told when it leaves. */
  connected(client: ActiveClient): void
  disconnected(id: string): void
  searched(client: ActiveClient, done: Done & Pick<SearchEvent, 'query' | 'hits'>): void
  called(
    client: ActiveClient,
    done: Done &
      Pick<CallEvent, 'tool'> & { server?: string | undefined; failure?: string | undefined },
  ): void
  /** The list is another for one session, or for all that are open. */
  listChanged(reason: string, session?: string): void
  report(): ActivityReport
  /** One of the sessions; nothing if it is forgotten. */
  session(id: string): SessionReport | undefined
  /** How often searches gave a tool, and how often it was called, since the start. */
  timesFound(tool: string): number
  timesCalled(tool: string): number
  /** The listener must not throw. */
  subscribe(listener: (news: ActivityNews) => void): () => void
}
