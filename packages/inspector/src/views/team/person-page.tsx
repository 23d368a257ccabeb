import type { JSX } from 'preact'
import type { PersonAccess } from '../../api/contract.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { Choice } from '../../parts/choice.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { formatRoute } from '../../routes/route.ts'
import { titleOf } from './people.tsx'

interface PersonPageProps extends ViewProps {
  /** The id of a person. */
  readonly person: string
}

const SHOWN = 500

/** What one person may use, and which rule decided that. */
export function PersonPage({ route, person }: PersonPageProps): JSX.Element {
  const { profile } = route.params
  const access = useAnswer(`access ${profile} ${person}`, (client, signal) =>
    client.access({ person, profile }, signal),
  )
  return (
    <>
      <p>
        <a href={formatRoute('team', { tab: 'people', since: route.params.since })}>All people</a>
      </p>
      <Answered answer={access} what="the rights">
        {(value) => <Access route={route} access={value} />}
      </Answered>
    </>
  )
}

interface AccessProps extends ViewProps {
  readonly access: PersonAccess
}

function Access({ route, access }: AccessProps): JSX.Element {
  const { person, tools, servers, profiles, allowed } = access
  const { server, text = '', decision } = route.params
  const matching = tools.filter(
    (each) =>
      (server === undefined || each.server === server) &&
      (decision === undefined || each.isAllowed === (decision === 'allowed')) &&
      `${each.server}/${each.tool} ${each.reason}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <Panel
      title={titleOf(person)}
      aside={`may use ${formatCount(allowed)} of ${formatMany(tools.length, 'tool')}`}
    >
      <p class="muted">
        {person.groups.length === 0 ? 'No groups.' : `Groups: ${person.groups.join(', ')}.`}
      </p>
      <search class="filters">
        <TextFilter route={route} param="text" label="Tool or rule" placeholder="tool or rule" />
        <Choice
          route={route}
          param="decision"
          label="Decision"
          any="Allowed and denied"
          options={[
            { value: 'allowed', title: 'Allowed' },
            { value: 'denied', title: 'Denied' },
          ]}
        />
        <Choice
          route={route}
          param="server"
          label="Server"
          any="All servers"
          options={[...new Set(tools.map((each) => each.server))]}
        />
        {profiles.length > 0 && (
          <Choice
            route={route}
            param="profile"
            label="Profile"
            any="No profile"
            options={profiles}
          />
        )}
      </search>
      {servers.length > 0 && (
        <p class="muted">
          Tools are known only after somebody has connected: {servers.map(serverText).join(', ')}.
        </p>
      )}
      {matching.length === 0 ? (
        <Empty title="No tool matches the filters" />
      ) : (
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Effect</th>
                <th scope="col">Decision</th>
                <th scope="col">Because of</th>
              </tr>
            </thead>
            <tbody>
              {matching.slice(0, SHOWN).map((each) => (
                <tr key={`${each.server}/${each.tool}`}>
                  <th scope="row">
                    {each.server}/{each.tool}
                  </th>
                  <td>{each.effect}</td>
                  <td>
                    <span class="tag" data-verdict={each.isAllowed ? 'returned' : undefined}>
                      {!each.isAllowed
                        ? 'Denied'
                        : each.withArguments
                          ? 'With arguments'
                          : 'Allowed'}
                    </span>
                  </td>
                  <td>
                    <code>{each.reason}</code>
                    {each.withArguments?.map((text) => (
                      <div key={text} class="muted">
                        if {text}
                      </div>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {matching.length > SHOWN && (
        <p class="muted">
          The first {formatCount(SHOWN)} of {formatMany(matching.length, 'tool')}. Filter to see the
          others.
        </p>
      )}
    </Panel>
  )
}

function serverText({ server, allows }: PersonAccess['servers'][number]): string {
  return `${server} (${allows === 'some' ? 'depends on the tool' : `${allows} allowed`})`
}
