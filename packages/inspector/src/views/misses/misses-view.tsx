import type { JSX } from 'preact'
import type { MissReport } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatCount } from '../../parts/format.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Readout, Readouts } from '../../parts/readouts.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { MissedSearches } from './missed-searches.tsx'
import { NeverFound } from './never-found.tsx'

export function MissesView(): JSX.Element {
  const answer = useAnswer('misses', (client, signal) => client.misses(signal))
  useReloadOn(answer, 'activity', 'tools')
  return (
    <>
      <PageHead title="Misses">
        Searches that did not help agents, and tools that no search found.
      </PageHead>
      <Answered answer={answer} what="the misses">
        {(report) => (report.total === 0 ? <NoSearches /> : <Misses report={report} />)}
      </Answered>
    </>
  )
}

function NoSearches(): JSX.Element {
  return (
    <Empty title="No searches yet">
      <p>Searches without useful results will appear here.</p>
    </Empty>
  )
}

function Misses({ report }: { readonly report: MissReport }): JSX.Element {
  const { searches, neverFound, total } = report
  const count = (kind: string) =>
    searches.filter((search) => search.kind === kind).reduce((sum, { times }) => sum + times, 0)
  return (
    <>
      <Readouts>
        <Readout label="Searches" value={formatCount(total)} />
        <Readout label="Found nothing" value={formatCount(count('nothing-found'))} />
        <Readout label="Low confidence" value={formatCount(count('low-confidence'))} />
        <Readout label="Retried" value={formatCount(count('repeated'))} />
        <Readout label="Results unused" value={formatCount(count('not-called'))} />
        <Readout label="Tools never found" value={formatCount(neverFound.length)} />
      </Readouts>
      <div class="misses">
        <MissedSearches searches={searches} />
        <NeverFound tools={neverFound} />
      </div>
    </>
  )
}
