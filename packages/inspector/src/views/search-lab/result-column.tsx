import type { ComponentChildren, JSX } from 'preact'
import type { RankerInfo, SearchReport } from '../../api/contract.ts'
import type { Answer } from '../../api/use-answer.ts'
import { formatMany, formatMilliseconds } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { formWords } from './form-words.ts'
import { HitItem } from './hit-item.tsx'
import { ModelAnswer } from './model-answer.tsx'
import { NearMisses } from './near-misses.tsx'
import type { RankMove } from './rank-moves.ts'

export interface ResultColumnProps {
  readonly answer: Answer<SearchReport>
  readonly rankers: readonly RankerInfo[]
  readonly right: readonly string[]
  readonly onToggle: (tool: string) => void
  readonly moves?: ReadonlyMap<string, RankMove>
  /** Stands under the hits. */
  readonly below?: ComponentChildren
}

/** What one ranker makes of the query: the hits, what just missed, what the model would read. */
export function ResultColumn(props: ResultColumnProps): JSX.Element {
  const { answer, rankers, right, onToggle, moves, below } = props
  const report = answer.value
  const title = rankers.find(({ id }) => id === report?.ranker)?.title ?? 'Results'
  const best = Math.max(0, ...(report?.hits ?? []).map(({ score = 0 }) => score))
  return (
    <div class="column" data-pending={answer.isPending || undefined} aria-busy={answer.isPending}>
      <div class="stacked">
        <Panel
          title={title}
          of={moves && 'the ranker beside it'}
          aside={
            report && (
              <span role="status">
                {formatMany(report.hits.length, 'hit')} · {formWords[report.form]} ·{' '}
                {formatMilliseconds(report.milliseconds)}
              </span>
            )
          }
        >
          <Answered answer={answer} what="its results">
            {({ query, hits, closest, abstained, notReady }) => (
              <>
                {hits.length === 0 && <NothingFound closest={closest} abstained={abstained} />}
                <ol class="hits">
                  {hits.map((hit, at) => (
                    <HitItem
                      key={hit.name}
                      hit={hit}
                      query={query}
                      rank={at + 1}
                      best={best}
                      isRight={right.includes(hit.name)}
                      onToggle={onToggle}
                      move={moves?.get(hit.name)}
                    />
                  ))}
                </ol>
                {notReady.map(({ server, detail }) => (
                  <p key={server} class="warning">
                    {server} could not be searched{detail === undefined ? '.' : `: ${detail}`}
                  </p>
                ))}
              </>
            )}
          </Answered>
        </Panel>
        {below}
      </div>
      {report && (
        <div class="stacked">
          <NearMisses misses={report.nearMisses} query={report.query} best={best} of={title} />
          <ModelAnswer answer={report.answer} of={title} />
        </div>
      )}
    </div>
  )
}

interface NothingFoundProps {
  readonly closest: readonly string[]
  readonly abstained: boolean
}

function NothingFound({ closest, abstained }: NothingFoundProps): JSX.Element {
  return (
    <Empty title={abstained ? 'Nothing fits well enough' : 'Nothing found'}>
      {abstained && <p>Some tools match a little; the model is told that none is what it meant.</p>}
      {closest.length > 0 && <p>Names that come close: {closest.join(', ')}</p>}
    </Empty>
  )
}
