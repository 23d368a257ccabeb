import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { AuditEntry, AuditReport } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { Choice } from '../../parts/choice.tsx'
import { formatDate, formatMilliseconds, formatSize } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker, readPeriod } from '../../parts/period.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { Answered, Empty } from '../../parts/states.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { updateRoute } from '../../routes/use-route.ts'
import { titleOf } from './people.tsx'

const PAGE = 100

/** Who did what, when, and which rule decided. */
export function Audit({ route }: ViewProps): JSX.Element {
  const { person, tool, outcome, text, notFound } = route.params
  const since = readPeriod(route.params.since, '7d')
  const params = { since, person, tool, outcome, text, notFound, limit: PAGE }
  const key = JSON.stringify(params)
  const page = useAnswer(`audit ${key}`, (client, signal) => client.audit(params, signal))
  const picker = (
    <PeriodPicker value={since} onChange={(value) => updateRoute(route, { since: value })} />
  )
  return (
    <Panel title="Audit log" aside={picker}>
      <Filters route={route} />
      <Answered answer={page} what="the audit log">
        {(value) => <Entries key={key} first={value} params={params} />}
      </Answered>
    </Panel>
  )
}

function Filters({ route }: ViewProps): JSX.Element {
  return (
    <search class="filters">
      <TextFilter
        route={route}
        param="text"
        label="Text"
        placeholder="query, tool, rule or error"
      />
      <TextFilter route={route} param="person" label="Person" placeholder="person" />
      <Choice
        route={route}
        param="outcome"
        label="Outcome"
        any="All outcomes"
        options={Object.entries(outcomes).map(([value, title]) => ({ value, title }))}
      />
      <Choice
        route={route}
        param="notFound"
        label="Searches"
        any="All requests"
        options={[{ value: '1', title: 'Searches that found nothing' }]}
      />
    </search>
  )
}

type AuditParams = Parameters<ReturnType<typeof useGateway>['client']['audit']>[0]

interface EntriesProps {
  readonly first: AuditReport
  readonly params: AuditParams
}

function Entries({ first, params }: EntriesProps): JSX.Element {
  const { client } = useGateway()
  const { attempt } = useActions()
  const [more, setMore] = useState<Pick<AuditReport, 'entries' | 'next'>>()
  const entries = [...first.entries, ...(more?.entries ?? [])]
  const next = more === undefined ? first.next : more.next
  const load = () =>
    attempt(async () => {
      const page = await client.audit({ ...params, before: next })
      const { entries: later, next: end } = page
      setMore({ entries: [...(more?.entries ?? []), ...later], ...(end && { next: end }) })
      return undefined
    })
  if (entries.length === 0) return <Empty title="Nothing matches the filters" />
  return (
    <>
      <ol class="audit">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {next !== undefined && (
        <button type="button" class="load-more" onClick={load}>
          Load earlier entries
        </button>
      )}
    </>
  )
}

const outcomes: Readonly<Record<AuditEntry['outcome'], string>> = {
  ok: 'Answered',
  failed: 'Failed',
  denied: 'Denied',
  limited: 'Over a limit',
  cancelled: 'Cancelled',
  unknown: 'No end recorded',
}

function Entry({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const { at, action, target, outcome, reason, error, searches = [], client, profile } = entry
  const who = titleOf({ ...entry, id: entry.person })
  const what = target && [target.server, target.name].filter(Boolean).join('/')
  const facts = [
    client,
    profile !== undefined && `profile ${profile}`,
    entry.claimed !== undefined && `claims to be ${entry.claimed}`,
    entry.milliseconds !== undefined && formatMilliseconds(entry.milliseconds),
    entry.resultBytes !== undefined && `${formatSize(entry.resultBytes)} bytes`,
    reason,
    error,
    entry.replica !== undefined && `replica ${entry.replica}`,
  ]
  return (
    <li class="audit-entry" data-outcome={outcome}>
      <time dateTime={at}>{formatDate(at)}</time>
      <span class="tag" data-kind={outcome === 'ok' ? 'served' : 'missed'}>
        {outcomes[outcome]}
      </span>
      <div>
        <p>
          <b>{revealHidden(who)}</b> {action} {what !== undefined && <code>{what}</code>}
        </p>
        {searches.map(({ query, hits }) => (
          <p key={query}>
            “{revealHidden(query)}”{' '}
            <span class="muted">
              {hits.length === 0 ? 'found nothing' : `found ${hits.slice(0, 3).join(', ')}`}
            </span>
          </p>
        ))}
        <p class="muted">{revealHidden(facts.filter(Boolean).join(' · '))}</p>
        {entry.arguments !== undefined && (
          <details>
            <summary>Arguments</summary>
            <pre>{JSON.stringify(entry.arguments, null, 2)}</pre>
          </details>
        )}
        {entry.detail !== undefined && (
          <details>
            <summary>Details</summary>
            <pre>{JSON.stringify(entry.detail, null, 2)}</pre>
          </details>
        )}
      </div>
    </li>
  )
}
