import type { ActivityEvent } from '../../api/contract.ts'

export interface EventFilter {
  readonly server?: string | undefined
  readonly client?: string | undefined
  /** `errors`: failed calls and searches without results. */
  readonly kind?: string | undefined
  readonly session?: string | undefined
}

/** The events that a filter lets through, in their order. */
export function filterEvents(
  events: readonly ActivityEvent[],
  { server, client, kind, session }: EventFilter,
): readonly ActivityEvent[] {
  return events.filter(
    (event) =>
      (session === undefined || event.session === session) &&
      (client === undefined || event.client === client) &&
      (server === undefined || serversOf(event).includes(server)) &&
      (kind === undefined || (kind === 'errors' ? isFailure(event) : event.kind === kind)),
  )
}

/** The servers and clients that occur in events, sorted. */
export function filterOptions(events: readonly ActivityEvent[]): {
  readonly servers: readonly string[]
  readonly clients: readonly string[]
} {
  return {
    servers: [...new Set(events.flatMap(serversOf))].sort(),
    clients: [...new Set(events.map(({ client }) => client))].sort(),
  }
}

function serversOf(event: ActivityEvent): readonly string[] {
  if (event.kind === 'search') return event.servers
  return event.server === undefined ? [] : [event.server]
}

function isFailure(event: ActivityEvent): boolean {
  return event.kind === 'call' ? event.failure !== undefined : event.hits.length === 0
}
