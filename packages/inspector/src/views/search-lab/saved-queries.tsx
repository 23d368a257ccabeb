import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import type { RankerInfo, SavedReport, SavedResult } from '../../api/contract.ts'
import { useGateway, useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { announce } from '../../parts/announce.tsx'
import { formatMany, formatShare } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Readout, Readouts } from '../../parts/readouts.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { QueryLink } from '../../parts/tool-link.tsx'

export interface SavedQueriesProps {
  readonly ranker: string | undefined
  readonly compare: string | undefined
  readonly rankers: readonly RankerInfo[]
}

/** All saved queries, and how well the rankers serve them. */
export function SavedQueries({ ranker, compare, rankers }: SavedQueriesProps): JSX.Element {
  const saved = useSaved(ranker, true)
  const compared = useSaved(compare, compare !== undefined)
  return (
    <Panel
      title="Saved queries"
      class="saved"
      isCollapsible
      aside={saved.value && <code class="file">{saved.value.file}</code>}
    >
      <Answered answer={saved} what="the saved queries">
        {(report) => (
          <>
            {report.problems.map(({ line, problem }) => (
              <p key={line} class="warning">
                Could not parse line {line} of the file: {problem}
              </p>
            ))}
            {report.queries.length === 0 ? (
              <Empty title="No saved queries yet">
                <p>
                  Save queries with their expected results to measure recall here. They are stored
                  in <code>{report.file}</code>, and <code>toolsearch eval</code> uses them too.
                </p>
              </Empty>
            ) : (
              <>
                <div class="recalls">
                  <Recall report={report} rankers={rankers} />
                  {compare !== undefined && compared.value && (
                    <Recall report={compared.value} rankers={rankers} />
                  )}
                </div>
                <SavedTable queries={report.queries} onRemoved={saved.reload} />
              </>
            )}
          </>
        )}
      </Answered>
    </Panel>
  )
}

function useSaved(ranker: string | undefined, isEnabled: boolean) {
  const answer = useAnswer(isEnabled ? `${ranker}` : undefined, (client, signal) =>
    client.saved(ranker, signal),
  )
  useReloadOn(answer, 'saved', 'tools')
  return answer
}

interface RecallProps {
  readonly report: SavedReport
  readonly rankers: readonly RankerInfo[]
}

function Recall({ report, rankers }: RecallProps): JSX.Element {
  const { ranker, recallAt1, recallAt5, doubted, queries } = report
  const share = (value: number | undefined) => (value === undefined ? '–' : formatShare(value))
  const title = rankers.find(({ id }) => id === ranker)?.title ?? ranker
  return (
    <div>
      <p class="recall-title">
        {title}, {formatMany(queries.length, 'query', 'queries')}
      </p>
      <Readouts>
        <Readout label="Recall at 1" value={share(recallAt1)} />
        <Readout label="Recall at 5" value={share(recallAt5)} />
        <Readout label="Correct “no sure match” rate" value={share(doubted)} />
      </Readouts>
    </div>
  )
}

interface SavedTableProps {
  readonly queries: readonly SavedResult[]
  readonly onRemoved: () => void
}

function SavedTable({ queries, onRemoved }: SavedTableProps): JSX.Element {
  const { client } = useGateway()
  const [problem, setProblem] = useState<string>()
  async function remove(query: string): Promise<void> {
    try {
      await client.removeSaved(query)
      setProblem(undefined)
      announce(`Removed the query ${query}`)
    } catch (error) {
      setProblem(failureText(error))
    }
    onRemoved()
  }
  return (
    <>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ul class="saved-list">
        {queries.map(({ query, relevant, unknown, isServed, found }) => (
          <li key={query} data-served={isServed}>
            <span class="tag" data-kind={isServed ? 'served' : 'missed'}>
              {isServed ? 'found' : 'missed'}
            </span>
            <div class="saved-query">
              <QueryLink query={query} />
              <p class="muted">
                {relevant.length === 0 ? 'Expected: no sure match' : relevant.join(', ')}
                {unknown.length > 0 && ` · unknown: ${unknown.join(', ')}`}
                {!isServed && ` · found ${found.length === 0 ? 'nothing' : found.join(', ')}`}
              </p>
            </div>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove the query ${query}`}
              onClick={() => remove(query)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
