import type { Person } from '../../identity/person.ts'
import type { CatalogueSnapshot } from '../catalogue-snapshot.ts'
import type { ExampleQueries } from '../example-queries.ts'
import type { InspectionTarget } from '../inspection-target.ts'
import type { LiveEvents } from '../live-events.ts'
import type { SearchLab } from '../search-lab.ts'

/** What the API routes work with. */
export interface ApiContext {
  readonly target: InspectionTarget
  readonly live: LiveEvents
  readonly lab: SearchLab
  readonly snapshot: () => CatalogueSnapshot
  readonly examples: ExampleQueries
  /** When the gateway started, in milliseconds. */
  readonly startedAt: number
}

/** What one request is about. */
export interface RouteContext extends ApiContext {
  readonly request: Request
  readonly url: URL
  /** The value of NAME in the path. */
  readonly name: string
  /** Who sent the request. */
  readonly person: Person
}

/** Resolves to the data to send as JSON, or to a complete response. */
export type Answer = (context: RouteContext) => Promise<object>

/** What a route does that changes something. The audit log records it. */
export interface Change {
  /** What the audit log calls it. */
  readonly action: string
  readonly run: Answer
  /** Answers requests with `?dry`: shows what `run` would do. Without it, such requests are rejected. */
  readonly dryRun?: Answer
  /** Whether the gates record it once it is done, because it is a request like those of agents. */
  readonly isRecordedByGates?: boolean
}

/** What a path answers, by method. A GET changes nothing. */
export interface Route {
  readonly GET?: Answer
  readonly POST?: Change
  readonly DELETE?: Change
}

/**
 * By path. A path can have one NAME, such as `/api/tools/NAME/call`.
 *
 * Most routes are for administrators only, because they show what the whole gateway has and does. Those
 * in `member-routes.ts` are for everybody, and answer about the person who asks.
 */
export type Routes = Readonly<Record<string, Route>>

export function nowOf({ now = Date.now }: InspectionTarget): number {
  return now()
}
