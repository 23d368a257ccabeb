import type { JSX } from 'preact'
import { useCallback } from 'preact/hooks'
import { applyToActivity } from '../../api/apply-event.ts'
import type { ActivityReport, LiveEvent } from '../../api/contract.ts'
import { useLiveEvent } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { PageHead } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { EventStream } from './event-stream.tsx'
import { SessionDetails } from './session-details.tsx'
import { SessionList } from './session-list.tsx'

export function LiveView({ route }: ViewProps): JSX.Element {
  const answer = useAnswer('activity', (client, signal) => client.activity(signal))
  const { update } = answer
  useLiveEvent(
    useCallback((event: LiveEvent) => update((report) => applyToActivity(report, event)), [update]),
  )
  return (
    <>
      <PageHead title="Live">What agents search for and call, in real time.</PageHead>
      <Answered answer={answer} what="the activity">
        {(report) => <Activity report={report} session={route.params.session} />}
      </Answered>
    </>
  )
}

interface ActivityProps {
  readonly report: ActivityReport
  readonly session: string | undefined
}

function Activity({ report: { sessions, events }, session }: ActivityProps): JSX.Element {
  const open = sessions.find(({ id }) => id === session)
  const shown = session === undefined ? events : events.filter((event) => event.session === session)
  if (sessions.length === 0 && events.length === 0) {
    return (
      <Empty title="No agents connected yet">
        <p>
          The overview shows how to connect a client. Its sessions, searches and calls will appear
          here.
        </p>
      </Empty>
    )
  }
  return (
    <div class="live">
      <div class="live-sessions">
        <SessionList sessions={sessions} session={session} />
        {session !== undefined && open === undefined && (
          <Empty title="This session is no longer available" />
        )}
        {open !== undefined && <SessionDetails session={open} />}
      </div>
      <EventStream events={shown} client={open?.client} />
    </div>
  )
}
