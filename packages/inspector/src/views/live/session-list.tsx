import type { JSX } from 'preact'
import type { SessionReport } from '../../api/contract.ts'
import { formatCount, formatMany, formatTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { formatRoute } from '../../routes/route.ts'

export interface SessionListProps {
  readonly sessions: readonly SessionReport[]
  readonly session: string | undefined
}

export function SessionList({ sessions, session }: SessionListProps): JSX.Element {
  const open = sessions.filter(({ isOpen }) => isOpen).length
  return (
    <Panel title="Sessions" aside={`${formatCount(open)} open`}>
      <ul class="sessions">
        <li>
          <a href={formatRoute('live')} aria-current={session === undefined ? 'true' : undefined}>
            <span class="session-client">All sessions</span>
          </a>
        </li>
        {sessions.map((one) => (
          <li key={one.id}>
            <a
              href={formatRoute('live', { session: one.id })}
              aria-current={one.id === session ? 'true' : undefined}
              data-open={one.isOpen}
            >
              <span class="session-client">{one.client}</span>
              <span class="badge" data-state={one.isOpen ? 'ready' : 'idle'}>
                {one.isOpen ? 'open' : 'ended'}
              </span>
              {one.cacheBreaks.length > 0 && (
                <span class="session-warning">
                  <Icon name="warning" /> {formatMany(one.cacheBreaks.length, 'cache break')}
                </span>
              )}
              <span class="session-more">
                {one.transport} · {formatTime(one.lastActive)} ·{' '}
                {formatMany(one.searches, 'search', 'searches')} · {formatMany(one.calls, 'call')}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
