import type { JSX } from 'preact'
import type { LimitsReport, PeopleReport, PersonSummary } from '../../api/contract.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { formatCount, formatDate, formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker, periodWords, readPeriod } from '../../parts/period.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { formatRoute } from '../../routes/route.ts'
import { updateRoute } from '../../routes/use-route.ts'

/** Everybody who used the gateway in a period, with their groups, and what the limits refused. */
export function People({ route }: ViewProps): JSX.Element {
  const since = readPeriod(route.params.since, '7d')
  const people = useAnswer(`people ${since}`, (client, signal) => client.people({ since }, signal))
  const limits = useAnswer(`limits ${since}`, (client, signal) => client.limits({ since }, signal))
  const picker = (
    <PeriodPicker value={since} onChange={(value) => updateRoute(route, { since: value })} />
  )
  return (
    <>
      <Panel title="People" aside={picker}>
        <Answered answer={people} what="the people">
          {(report) =>
            report.people.length === 0 ? (
              <Empty title={`Nobody used the gateway in ${periodWords(since)}`}>
                <p>People appear here when they or their agents send a request.</p>
              </Empty>
            ) : (
              <PeopleTable report={report} since={since} />
            )
          }
        </Answered>
      </Panel>
      <Answered answer={limits} what="the limits">
        {(report) => <Limits report={report} />}
      </Answered>
    </>
  )
}

interface PeopleTableProps {
  readonly report: PeopleReport
  readonly since: string
}

function PeopleTable({ report, since }: PeopleTableProps): JSX.Element {
  return (
    <>
      <p class="muted">
        {formatMany(report.people.length, 'person', 'people')} in{' '}
        {formatMany(report.groups.length, 'group')}
      </p>
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Groups</th>
              <th scope="col">Last seen</th>
              <th scope="col" class="number">
                Searches
              </th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Tokens
              </th>
              <th scope="col" class="number">
                Saved
              </th>
            </tr>
          </thead>
          <tbody>
            {report.people.map((person) => (
              <PersonRow key={person.id} person={person} since={since} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function PersonRow({
  person,
  since,
}: {
  readonly person: PersonSummary
  readonly since: string
}): JSX.Element {
  const { id, name, email, groups, lastSeen, searches, calls, denied, limited } = person
  const refused = denied + limited
  return (
    <tr>
      <th scope="row">
        <a href={formatRoute('team', { tab: 'people', person: id, since })}>{titleOf(person)}</a>
        {name !== undefined && email !== undefined && <span class="muted"> {email}</span>}
      </th>
      <td>{groups.join(', ')}</td>
      <td>
        <time dateTime={lastSeen}>{formatDate(lastSeen)}</time>
      </td>
      <td class="number">{formatCount(searches)}</td>
      <td class="number">{formatCount(calls)}</td>
      <td class="number">
        {refused === 0 ? (
          '0'
        ) : (
          <a href={formatRoute('team', { tab: 'audit', person: id, outcome: 'denied', since })}>
            {formatCount(refused)}
            <span class="visually-hidden"> refused requests of {titleOf(person)}</span>
          </a>
        )}
      </td>
      <td class="number">{formatCount(person.tokens)}</td>
      <td class="number">{formatCount(person.savedTokens)}</td>
    </tr>
  )
}

function Limits({ report }: { readonly report: LimitsReport }): JSX.Element | null {
  if (report.limits.length === 0) return null
  return (
    <Panel title="Limits">
      <ul class="plain">
        {report.limits.map(({ text, refused }) => (
          <li key={text}>
            {text}{' '}
            <span class="muted">
              {refused === 0 ? 'Nothing refused.' : `${formatMany(refused, 'request')} refused.`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What to call a person: the name, the address, or the subject in the id. */
export function titleOf({ id, name, email }: Pick<PersonSummary, 'id' | 'name' | 'email'>): string {
  return name ?? email ?? decodeURIComponent(id.split(' ').at(-1) ?? id)
}
