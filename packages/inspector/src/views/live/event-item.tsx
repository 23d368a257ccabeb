import type { JSX } from 'preact'
import type { ActivityEvent, HistoryEntry } from '../../api/contract.ts'
import {
  formatClock,
  formatCount,
  formatMilliseconds,
  formatSize,
  formatTime,
} from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'

export interface EventItemProps {
  readonly event: ActivityEvent | HistoryEntry
  /** All events belong to the same client, so there is no need to name it. */
  readonly isSingleClient: boolean
  /** Whether to show the day too. */
  readonly hasDate?: boolean
}

/** A search or a call, with its outcome. */
export function EventItem({ event, isSingleClient, hasDate = false }: EventItemProps): JSX.Element {
  const outcome = outcomeOf(event)
  const problem =
    event.kind === 'search'
      ? event.hits.length === 0 && 'miss'
      : event.failure !== undefined && 'error'
  return (
    <li
      class="event"
      data-kind={event.kind}
      data-bad={problem || undefined}
      data-date={hasDate || undefined}
      data-clients={!isSingleClient || undefined}
    >
      <time dateTime={event.at}>
        {hasDate ? formatClock(event.at, true) : formatTime(event.at)}
      </time>
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
            {revealHidden(outcome)}
          </p>
        )}
      </div>
      {!isSingleClient && <span class="muted event-client">{event.client}</span>}
      <span class="event-figures">
        <span>{formatMilliseconds(event.milliseconds)}</span>
        <span>
          {formatSize(event.size)} <span class="unit">chars</span>
        </span>
      </span>
    </li>
  )
}

function outcomeOf(event: EventItemProps['event']): string {
  if (event.kind === 'call') {
    const script = event.script === undefined ? [] : [`script ${event.script}`]
    return [...script, ...(event.failure === undefined ? [] : [event.failure])].join(': ')
  }
  if (event.candidates.length > 0) return `low confidence: ${event.candidates.join(', ')}`
  if (event.hits.length === 0) return 'no results'
  const [first, ...others] = event.hits
  const more = others.length > 0 ? ` and ${formatCount(others.length)} more` : ''
  return `${first}${more}`
}
