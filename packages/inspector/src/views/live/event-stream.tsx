import type { JSX } from 'preact'
import type { ActivityEvent } from '../../api/contract.ts'
import {
  formatCount,
  formatMany,
  formatMilliseconds,
  formatSize,
  formatTime,
} from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'

export interface EventStreamProps {
  readonly events: readonly ActivityEvent[]
  /** Of the session that is looked at, if it is only one. */
  readonly client: string | undefined
}

/** So many are drawn: nobody scrolls further back in a stream. */
const SHOWN = 200

export function EventStream({ events, client }: EventStreamProps): JSX.Element {
  const shown = events.slice(0, SHOWN)
  const left = events.length - shown.length
  return (
    <Panel
      title={client === undefined ? 'Searches and calls' : `Searches and calls of ${client}`}
      aside="latest first"
      class="stream"
    >
      {events.length === 0 ? (
        <Empty title="Nothing happened yet">
          <p>Searches and calls are added here as agents make them.</p>
        </Empty>
      ) : (
        <ol class="events">
          {shown.map((event) => (
            <EventItem key={event.id} event={event} isOfOne={client !== undefined} />
          ))}
        </ol>
      )}
      {left > 0 && <p class="muted">and {formatCount(left)} earlier</p>}
    </Panel>
  )
}

interface EventItemProps {
  readonly event: ActivityEvent
  /** Whose it is goes without saying. */
  readonly isOfOne: boolean
}

function EventItem({ event, isOfOne }: EventItemProps): JSX.Element {
  const outcome = isOfOne
    ? outcomeOf(event)
    : [outcomeOf(event), event.client].filter(Boolean).join(' · ')
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
          <p class="muted" title={outcome}>
            {outcome}
          </p>
        )}
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
  if (event.kind === 'call') return event.failure ?? ''
  if (event.hits.length === 0) return 'nothing found'
  const [first, ...others] = event.hits
  const more = others.length > 0 ? ` and ${formatMany(others.length, 'other')}` : ''
  return `${first}${more}`
}
