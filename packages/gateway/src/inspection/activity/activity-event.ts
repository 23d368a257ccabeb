/** Something an agent did. */
export type ActivityEvent = SearchEvent | CallEvent

interface EventBase {
  /** Counts up. */
  readonly id: number
  readonly at: string
  readonly session: string
  readonly client: string
  readonly milliseconds: number
  /** Characters of what was answered. */
  readonly size: number
}

export interface SearchEvent extends EventBase {
  readonly kind: 'search'
  /** The first 300 characters of it. */
  readonly query: string
  /** Names, best first. */
  readonly hits: readonly string[]
}

export interface CallEvent extends EventBase {
  readonly kind: 'call'
  readonly tool: string
  /** None for the gateway's own tools, and for names that are not there. */
  readonly server?: string
  /** The beginning of what it said, when it went wrong. */
  readonly failure?: string
}
