import type { JSX } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { applyToActivity } from '../../api/apply-event.ts'
import type { ActivityReport, LiveEvent, Timeline } from '../../api/contract.ts'
import { useLiveEvent, useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { PeriodPicker, readPeriod } from '../../parts/period.tsx'
import { hasSample, NoActivity, Sample } from '../../parts/sample.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { TimelineChart } from '../../parts/timeline-chart.tsx'
import type { Route } from '../../routes/route.ts'
import { updateRoute } from '../../routes/use-route.ts'
import { EventStream, type Pause } from './event-stream.tsx'
import { RunningCalls } from './running-calls.tsx'
import { SessionDetails } from './session-details.tsx'
import { SessionList } from './session-list.tsx'

export function LiveView({ route }: ViewProps): JSX.Element {
  return (
    <>
      <PageHead title="Live">What agents search for and call, in real time.</PageHead>
      {hasSample(route) ? <SampleActivity route={route} /> : <LiveActivity route={route} />}
    </>
  )
}

function LiveActivity({ route }: ViewProps): JSX.Element {
  const answer = useAnswer('activity', (client, signal) => client.activity(signal))
  const since = readPeriod(route.params.since, '1h')
  const timeline = useAnswer(since, (client, signal) => client.timeline({ since }, signal))
  const { update } = answer
  useLiveEvent(
    useCallback((event: LiveEvent) => update((report) => applyToActivity(report, event)), [update]),
  )
  useReloadOn(timeline, 'activity')
  return (
    <Answered answer={answer} what="the activity">
      {(report) =>
        report.sessions.length + report.events.length + report.running.length === 0 ? (
          <NoActivity route={route} title="No agents connected yet">
            As soon as an agent connects, you see its searches and calls here while they happen: how
            long they take, what they cost, and which tools the agent loaded.
          </NoActivity>
        ) : (
          <Activity route={route} report={report} timeline={timeline.value} />
        )
      }
    </Answered>
  )
}

function SampleActivity({ route }: ViewProps): JSX.Element {
  return (
    <Sample route={route}>
      {({ activity, timeline }) => (
        <Activity route={route} report={activity} timeline={timeline} isSample />
      )}
    </Sample>
  )
}

interface ActivityProps {
  readonly route: Route
  readonly report: ActivityReport
  readonly timeline: Timeline | undefined
  readonly isSample?: boolean
}

function Activity({ route, report, timeline, isSample = false }: ActivityProps): JSX.Element {
  const { sessions, running } = report
  const { session, since } = route.params
  const [pausedEvents, setPaused] = useState<ActivityReport['events']>()
  const events = pausedEvents ?? report.events
  const pause: Pause = {
    isPaused: pausedEvents !== undefined,
    missed: pausedEvents === undefined ? 0 : countNewer(report.events, pausedEvents),
    toggle: () => setPaused(pausedEvents === undefined ? report.events : undefined),
  }
  const open = sessions.find(({ id }) => id === session)
  return (
    <>
      <Panel
        title="Activity"
        class="activity"
        aside={
          !isSample && (
            <PeriodPicker
              value={readPeriod(since, '1h')}
              onChange={(value) => updateRoute(route, { since: value })}
            />
          )
        }
      >
        {timeline && <TimelineChart timeline={timeline} />}
      </Panel>
      <div class="live">
        <div class="live-sessions">
          <SessionList sessions={sessions} session={session} route={route} />
          {session !== undefined && open === undefined && (
            <Empty title="This session is no longer available" />
          )}
          {open !== undefined && <SessionDetails session={open} />}
        </div>
        <div class="stacked">
          {running.length > 0 && <RunningCalls calls={running} />}
          <EventStream route={route} events={events} client={open?.client} pause={pause} />
        </div>
      </div>
    </>
  )
}

function countNewer(events: ActivityReport['events'], than: ActivityReport['events']): number {
  const last = than[0]?.id ?? -1
  return events.filter(({ id }) => id > last).length
}
