import type { JSX } from 'preact'
import type { MissReport } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { formatCount } from '../../parts/format.ts'
import { PageHead } from '../../parts/panel.tsx'
import { PeriodPicker, periodWords, readPeriod } from '../../parts/period.tsx'
import { Readout, Readouts } from '../../parts/readouts.tsx'
import { hasSample, NoActivity, Sample } from '../../parts/sample.tsx'
import { Answered } from '../../parts/states.tsx'
import { updateRoute } from '../../routes/use-route.ts'
import { MissedSearches } from './missed-searches.tsx'
import { NeverFound } from './never-found.tsx'

export function MissesView({ route }: ViewProps): JSX.Element {
  return (
    <>
      <PageHead title="Misses">
        Searches that did not help agents, and tools that no search found.
      </PageHead>
      {hasSample(route) ? <SampleMisses route={route} /> : <RealMisses route={route} />}
    </>
  )
}

function RealMisses({ route }: ViewProps): JSX.Element {
  const since = readPeriod(route.params.since, '7d')
  const answer = useAnswer(since, (client, signal) => client.misses({ since }, signal))
  useReloadOn(answer, 'activity', 'tools')
  return (
    <>
      <div class="period-bar">
        <PeriodPicker value={since} onChange={(value) => updateRoute(route, { since: value })} />
      </div>
      <Answered answer={answer} what="the misses">
        {(report) =>
          report.total === 0 ? (
            <NoActivity route={route} title={`No searches in ${periodWords(since)}`}>
              Searches that found nothing, were retried or led to no call appear here, so that you
              can add a search hint or find out which tool is missing.
            </NoActivity>
          ) : (
            <Misses report={report} />
          )
        }
      </Answered>
    </>
  )
}

function SampleMisses({ route }: ViewProps): JSX.Element {
  return <Sample route={route}>{({ misses }) => <Misses report={misses} />}</Sample>
}

function Misses({ report }: { readonly report: MissReport }): JSX.Element {
  const { searches, neverFound, total, missed, neededSearches } = report
  const count = (kind: keyof MissReport['searches'][number]['kinds']) =>
    formatCount(searches.reduce((sum, { kinds }) => sum + (kinds[kind] ?? 0), 0))
  return (
    <>
      <Readouts>
        <Readout label="Searches" value={formatCount(total)} />
        <Readout label="Missed" value={formatCount(missed)} />
        <Readout label="Found nothing" value={count('nothing-found')} />
        <Readout label="Low confidence" value={count('low-confidence')} />
        <Readout label="Retried" value={count('repeated')} />
        <Readout label="Results unused" value={count('not-called')} />
      </Readouts>
      <div class="misses">
        <MissedSearches searches={searches} />
        <NeverFound tools={neverFound} searches={total} neededSearches={neededSearches} />
      </div>
    </>
  )
}
