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

/**
 * By path, then by method. A path can have one NAME, such as `/api/tools/NAME/call`.
 *
 * Most routes are for administrators only, because they show what the whole gateway has and does. Those
 * in `member-routes.ts` are for everybody, and answer about the person who asks.
 */
export type Routes = Readonly<Record<string, Readonly<Record<string, Answer>>>>

export function nowOf({ now = Date.now }: InspectionTarget): number {
  return now()
}
