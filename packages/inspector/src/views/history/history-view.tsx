import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { HistoryEntry, HistoryPage, Timeline } from '../../api/contract.ts'
import { useGateway, useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { useOverview } from '../../overview-context.ts'
import { Choice } from '../../parts/choice.tsx'
import { formatMany } from '../../parts/format.ts'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { PeriodPicker, type PeriodValue, periodWords, readPeriod } from '../../parts/period.tsx'
import { hasSample, NoActivity, Sample } from '../../parts/sample.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { TimelineChart } from '../../parts/timeline-chart.tsx'
import type { Route } from '../../routes/route.ts'
import { updateRoute } from '../../routes/use-route.ts'
import { EventItem } from '../live/event-item.tsx'

const PAGE = 100

export function HistoryView({ route }: ViewProps): JSX.Element {
  return (
    <>
      <PageHead title="History">
        <Kept />
      </PageHead>
      {hasSample(route) ? <SampleHistory route={route} /> : <KeptHistory route={route} />}
    </>
  )
}

/** How long the gateway keeps searches and calls. */
function Kept(): JSX.Element | null {
  const { value } = useOverview()
  if (value === undefined) return null
  return (
    <>
      {value.history === undefined
        ? 'History is off: only what happened since the gateway started.'
        : `Searches and calls of the last ${formatMany(value.history.days, 'day')}. Arguments and results are not kept.`}
    </>
  )
}

function KeptHistory({ route }: ViewProps): JSX.Element {
  const { kind, server, client, text } = route.params
  const since = readPeriod(route.params.since, '7d')
  const params = { since, kind, server, client, text, limit: PAGE }
  const key = JSON.stringify(params)
  const page = useAnswer(key, (gateway, signal) => gateway.history(params, signal))
  const timeline = useAnswer(since, (gateway, signal) => gateway.timeline({ since }, signal))
  useReloadOn(page, 'activity')
  useReloadOn(timeline, 'activity')
  const isFiltered = [kind, server, client, text].some((value) => value !== undefined)
  return (
    <Answered answer={page} what="the history">
      {(value) =>
        value.total === 0 && !isFiltered && (timeline.value?.totals.searches ?? 0) === 0 ? (
          <>
            <PeriodBar route={route} since={since} />
            <NoActivity route={route} title={`No searches or calls in ${periodWords(since)}`}>
              Everything that agents search for and call is kept here, so that you can look up what
              happened last week.
            </NoActivity>
          </>
        ) : (
          <Entries
            // A new first page starts over.
            key={key}
            route={route}
            page={value}
            timeline={timeline.value}
            isPending={page.isPending}
          />
        )
      }
    </Answered>
  )
}

function SampleHistory({ route }: ViewProps): JSX.Element {
  return (
    <Sample route={route}>
      {({ history, timeline }) => (
        <Entries route={route} page={history} timeline={timeline} isPending={false} isSample />
      )}
    </Sample>
  )
}

interface PeriodBarProps {
  readonly route: Route
  readonly since: PeriodValue
}

function PeriodBar({ route, since }: PeriodBarProps): JSX.Element {
  return (
    <div class="period-bar">
      <PeriodPicker value={since} onChange={(value) => updateRoute(route, { since: value })} />
    </div>
  )
}

interface EntriesProps {
  readonly route: Route
  readonly page: HistoryPage
  readonly timeline: Timeline | undefined
  readonly isPending: boolean
  /** The sample has one period and no filters. */
  readonly isSample?: boolean
}

function Entries(props: EntriesProps): JSX.Element {
  const { route, page, timeline, isPending, isSample = false } = props
  const since = readPeriod(route.params.since, '7d')
  const [more, setMore] = useState<{ entries: readonly HistoryEntry[]; next: string | undefined }>()
  const { client } = useGateway()
  const { attempt } = useActions()
  const known = new Set(page.entries.map(({ id }) => id))
  // The first page may have grown since the next ones were loaded.
  const entries = [...page.entries, ...(more?.entries ?? []).filter(({ id }) => !known.has(id))]
  const next = more === undefined ? page.next : more.next
  const { kind, server, client: chosen, text } = route.params
  const load = () =>
    attempt(async () => {
      const params = { since, kind, server, client: chosen, text, limit: PAGE, before: next }
      const answer = await client.history(params)
      setMore({ entries: [...(more?.entries ?? []), ...answer.entries], next: answer.next })
      return undefined
    })
  return (
    <>
      <Panel
        title="Activity"
        class="activity"
        aside={
          !isSample && (
            <PeriodPicker
              value={since}
              onChange={(value) => updateRoute(route, { since: value })}
            />
          )
        }
      >
        {timeline && <TimelineChart timeline={timeline} />}
      </Panel>
      <Panel title="Searches and calls" aside={formatMany(page.total, 'entry', 'entries')}>
        {!isSample && <Filters route={route} page={page} />}
        {entries.length === 0 ? (
          <Empty title="Nothing matches the filters" />
        ) : (
          <ol class="events" data-pending={isPending || undefined}>
            {entries.map((entry) => (
              <EventItem key={entry.id} event={entry} isSingleClient={false} hasDate />
            ))}
          </ol>
        )}
        {next !== undefined && (
          <button type="button" class="load-more" onClick={load}>
            Load{' '}
            {formatMany(
              Math.min(PAGE, page.total - entries.length),
              'earlier entry',
              'earlier entries',
            )}
          </button>
        )}
      </Panel>
    </>
  )
}

interface FiltersProps {
  readonly route: Route
  readonly page: HistoryPage
}

function Filters({ route, page }: FiltersProps): JSX.Element {
  return (
    <search class="filters">
      <TextFilter route={route} param="text" label="Text" placeholder="query, tool or error" />
      <Choice
        route={route}
        param="kind"
        label="Kind"
        any="Searches and calls"
        options={[
          { value: 'search', title: 'Searches' },
          { value: 'miss', title: 'Missed searches' },
          { value: 'call', title: 'Calls' },
          { value: 'error', title: 'Failed calls' },
        ]}
      />
      <Choice
        route={route}
        param="server"
        label="Server"
        any="All servers"
        options={page.servers}
      />
      <Choice
        route={route}
        param="client"
        label="Client"
        any="All clients"
        options={page.clients}
      />
    </search>
  )
}
