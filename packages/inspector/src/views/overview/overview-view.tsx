import type { JSX } from 'preact'
import type { Overview } from '../../api/contract.ts'
import { useOverview } from '../../overview-context.ts'
import { formatCount, formatShare } from '../../parts/format.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Readout, Readouts } from '../../parts/readouts.tsx'
import { Answered } from '../../parts/states.tsx'
import { Connect } from './connect.tsx'
import { Issues } from './issues.tsx'
import { ServerList } from './server-list.tsx'
import { modeDescriptions, serversSummary } from './summary.ts'
import { WhereTokensGo } from './where-tokens-go.tsx'

export function OverviewView(): JSX.Element {
  const answer = useOverview()
  return (
    <>
      <PageHead title="Overview">{answer.value && modeDescriptions[answer.value.mode]}</PageHead>
      <Answered answer={answer} what="the overview">
        {(overview) => (
          <>
            <Figures overview={overview} />
            {overview.cost.advice !== undefined && <p class="advice">{overview.cost.advice}</p>}
            <div class="overview-grid">
              <div class="stacked">
                <WhereTokensGo overview={overview} />
                <Issues findings={overview.findings} tools={overview.cost.tools} />
              </div>
              <div class="stacked">
                <ServerList servers={overview.servers} disabled={overview.disabledServers} />
                <Connect overview={overview} />
              </div>
            </div>
          </>
        )}
      </Answered>
    </>
  )
}

function Figures({ overview }: { readonly overview: Overview }): JSX.Element {
  const { cost } = overview
  const servers = overview.servers.filter(({ isFolders }) => !isFolders)
  const summary = serversSummary(servers)
  const isSaving = cost.extraPerTurn === 0
  return (
    <Readouts>
      <Readout
        isMain
        label={isSaving ? 'Tokens saved per request' : 'Extra tokens per request'}
        value={formatCount(isSaving ? cost.savedPerTurn : cost.extraPerTurn)}
        note={isSaving && cost.eager > 0 && formatShare(cost.savedPerTurn / cost.eager)}
        tone={isSaving || cost.tools === 0 ? undefined : 'bad'}
      />
      {isSaving && <Readout label="Per 100 requests" value={formatCount(cost.savedPer100Turns)} />}
      <Readout label="With every tool listed" value={formatCount(cost.eager)} />
      <Readout label="With toolsearch" value={formatCount(cost.listed)} />
      <Readout label="Tools" value={formatCount(cost.tools)} />
      <Readout
        label="Servers"
        value={formatCount(servers.length)}
        note={summary.note}
        tone={summary.isTroubled ? 'bad' : undefined}
      />
    </Readouts>
  )
}
