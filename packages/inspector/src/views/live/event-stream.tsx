import type { JSX } from 'preact'
import type { ActivityEvent } from '../../api/contract.ts'
import { formatCount, formatMilliseconds, formatSize, formatTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { plainError } from '../../parts/plain-error.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'

export interface EventStreamProps {
  readonly events: readonly ActivityEvent[]
  /** The client of the selected session; undefined for all sessions. */
  readonly client: string | undefined
}

/** How many events are rendered. */
const SHOWN = 200

export function EventStream({ events, client }: EventStreamProps): JSX.Element {
  const shown = events.slice(0, SHOWN)
  const hidden = events.length - shown.length
  return (
    <Panel
      title={client === undefined ? 'Searches and calls' : `Searches and calls by ${client}`}
      aside="latest first"
      class="stream"
    >
      {events.length === 0 ? (
        <Empty title="No activity yet">
          <p>Searches and calls appear here as agents make them.</p>
        </Empty>
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

interface EventItemProps {
  readonly event: ActivityEvent
  /** All events belong to the same client, so there is no need to name it. */
  readonly isSingleClient: boolean
}

function EventItem({ event, isSingleClient }: EventItemProps): JSX.Element {
  const outcome = outcomeOf(event)
  const isFailure = event.kind === 'call' && event.failure !== undefined
  const isMiss = event.kind === 'search' && event.hits.length === 0
  return (
    <li class="event" data-kind={event.kind} data-bad={isFailure || isMiss || undefined}>
      <time dateTime={event.at}>{formatTime(event.at)}</time>
      <span class="event-kind">
        <Icon name={event.kind} />
        {event.kind}
      </span>
      <div class="event-what">
        {event.kind === 'search' ? (
          <QueryLink query={event.query} />
        ) : (
          <ToolLink name={event.tool} />
        )}
        {outcome !== '' && (
          <p class="muted event-outcome" title={outcome}>
            {outcome}
          </p>
        )}
        {!isSingleClient && <p class="muted event-client">{event.client}</p>}
      </div>
      <span class="event-figures">
        <span>{formatMilliseconds(event.milliseconds)}</span>
        <span>
          {formatSize(event.size)} <span class="unit">chars</span>
        </span>
      </span>
    </li>
  )
}

function outcomeOf(event: ActivityEvent): string {
  if (event.kind === 'call') return event.failure === undefined ? '' : plainError(event.failure)
  if (event.candidates.length > 0) return `low confidence: ${event.candidates.join(', ')}`
  if (event.hits.length === 0) return 'no results'
  const [first, ...others] = event.hits
  const more = others.length > 0 ? ` and ${formatCount(others.length)} more` : ''
  return `${first}${more}`
}
