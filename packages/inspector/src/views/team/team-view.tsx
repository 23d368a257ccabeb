import type { JSX } from 'preact'
import type { ViewProps } from '../../app.tsx'
import { useMe } from '../../me-context.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { updateRoute } from '../../routes/use-route.ts'
import { Audit } from './audit.tsx'
import { Keys } from './keys.tsx'
import { People } from './people.tsx'
import { PersonPage } from './person-page.tsx'

const tabs = [
  { value: 'people', title: 'People' },
  { value: 'keys', title: 'API keys' },
  { value: 'audit', title: 'Audit log' },
] as const

type Tab = (typeof tabs)[number]['value']

/** Who uses the gateway, what they may use, and what they did. For administrators. */
export function TeamView({ route }: ViewProps): JSX.Element {
  const { features } = useMe()
  const shown = tabs.filter(({ value }) => features[value])
  const tab = shown.find(({ value }) => value === route.params.tab)?.value ?? shown[0]?.value
  return (
    <>
      <PageHead title="Team">Who uses the gateway, what they may use, and what they did.</PageHead>
      {shown.length > 1 && (
        <div class="period-bar">
          <Segmented<Tab>
            label="Part"
            options={shown}
            value={tab ?? 'people'}
            onChange={(value) => updateRoute({ view: 'team', params: {} }, { tab: value })}
          />
        </div>
      )}
      {tab === 'people' &&
        (route.params.person === undefined ? (
          <People route={route} />
        ) : (
          <PersonPage route={route} person={route.params.person} />
        ))}
      {tab === 'keys' && <Keys />}
      {tab === 'audit' && <Audit route={route} />}
    </>
  )
}
