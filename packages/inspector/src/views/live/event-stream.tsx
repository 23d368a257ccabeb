import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ActivityEvent } from '../../api/contract.ts'
import { Choice } from '../../parts/choice.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Route } from '../../routes/route.ts'
import { EventItem } from './event-item.tsx'
import { filterEvents, filterOptions } from './filter-events.ts'

export interface EventStreamProps {
  readonly route: Route
  readonly events: readonly ActivityEvent[]
  /** The client of the selected session; undefined for all sessions. */
  readonly client: string | undefined
  readonly pause: Pause
}

/** Holds the list still while a person reads it. */
export interface Pause {
  readonly isPaused: boolean
  /** Events since the pause. */
  readonly missed: number
  toggle(): void
}

/** How many events are rendered. */
const SHOWN = 200

export function EventStream({ route, events, client, pause }: EventStreamProps): JSX.Element {
  const { server, client: chosen, kind, session } = route.params
  const { servers, clients } = useMemo(() => filterOptions(events), [events])
  const wanted = filterEvents(events, { server, client: chosen, kind, session })
  const shown = wanted.slice(0, SHOWN)
  const hidden = wanted.length - shown.length
  return (
    <Panel
      title={client === undefined ? 'Searches and calls' : `Searches and calls by ${client}`}
      class="stream"
      aside={
        <>
          {pause.missed > 0 && <span>{formatCount(pause.missed)} new</span>}
          <button type="button" aria-pressed={pause.isPaused} onClick={pause.toggle}>
            {pause.isPaused ? 'Resume' : 'Pause'}
          </button>
        </>
      }
    >
      <div class="filters">
        <Choice
          route={route}
          param="kind"
          label="Kind"
          any="Searches and calls"
          options={[
            { value: 'search', title: 'Searches' },
            { value: 'call', title: 'Calls' },
            { value: 'errors', title: 'Errors and misses' },
          ]}
        />
        <Choice route={route} param="server" label="Server" any="All servers" options={servers} />
        {session === undefined && (
          <Choice route={route} param="client" label="Client" any="All clients" options={clients} />
        )}
        <span class="muted" role="status">
          {formatMany(wanted.length, 'event')}, latest first
        </span>
      </div>
      {wanted.length === 0 ? (
        <Empty title={events.length === 0 ? 'No activity yet' : 'No events match the filters'} />
      ) : (
        <ol class="events">
          {shown.map((event) => (
            <EventItem key={event.id} event={event} isSingleClient={client !== undefined} />
          ))}
        </ol>
      )}
      {hidden > 0 && <p class="muted">and {formatCount(hidden)} earlier</p>}
    </Panel>
  )
}
