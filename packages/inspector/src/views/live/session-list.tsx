import type { JSX } from 'preact'
import type { SessionReport } from '../../api/contract.ts'
import { formatCount, formatMany, formatTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { formatRoute, type Route } from '../../routes/route.ts'

export interface SessionListProps {
  readonly sessions: readonly SessionReport[]
  readonly session: string | undefined
  readonly route: Route
}

export function SessionList({ sessions, session, route }: SessionListProps): JSX.Element {
  const open = sessions.filter(({ isOpen }) => isOpen).length
  return (
    <Panel title="Sessions" aside={`${formatCount(open)} open`}>
      <ul class="sessions">
        <li>
          <a
            href={formatRoute('live', { ...route.params, session: undefined })}
            aria-current={session === undefined ? 'true' : undefined}
          >
            <span class="session-client">All sessions</span>
          </a>
        </li>
        {sessions.map((each) => (
          <li key={each.id}>
            <a
              href={formatRoute('live', { ...route.params, session: each.id, client: undefined })}
              aria-current={each.id === session ? 'true' : undefined}
              data-open={each.isOpen}
            >
              <span class="session-client">{each.client}</span>
              <span class="badge" data-state={each.isOpen ? 'ready' : 'idle'}>
                {each.isOpen ? 'open' : 'ended'}
              </span>
              {each.cacheBreaks.length > 0 && (
                <span class="session-warning">
                  <Icon name="warning" /> prompt cache lost {formatCount(each.cacheBreaks.length)}×
                </span>
              )}
              <span class="session-more">
                <span>{each.transport}</span>
                <span>{formatTime(each.lastActive)}</span>
                <span>{formatMany(each.searches, 'search', 'searches')}</span>
                <span>{formatMany(each.calls, 'call')}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
