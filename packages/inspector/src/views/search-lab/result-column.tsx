import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { RankerInfo, SearchReport } from '../../api/contract.ts'
import type { Answer } from '../../api/use-answer.ts'
import { formatMany, formatMilliseconds } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { QueryLink, SimilarNames } from '../../parts/tool-link.tsx'
import { HitItem } from './hit-item.tsx'
import { ModelAnswer } from './model-answer.tsx'
import { NearMisses } from './near-misses.tsx'
import type { RankMove } from './rank-moves.ts'

const formLabels: Record<SearchReport['form'], string> = {
  select: 'exact names',
  name: 'tool name',
  prefix: 'name prefix',
  words: 'keywords',
  browse: 'empty query: browse',
  blank: 'empty query',
}

export interface ResultColumnProps {
  readonly answer: Answer<SearchReport>
  readonly rankers: readonly RankerInfo[]
  readonly expected: readonly string[]
  readonly onToggle: (tool: string) => void
  readonly moves?: ReadonlyMap<string, RankMove>
  /** Shown below the hits. */
  readonly below?: ComponentChildren
}

/** The results of one ranker: hits, near misses and the text for the model. */
export function ResultColumn(props: ResultColumnProps): JSX.Element {
  const { answer, rankers, expected, onToggle, moves, below } = props
  const report = answer.value
  const title = rankers.find(({ id }) => id === report?.ranker)?.title ?? 'Results'
  const shown = report ? [...report.hits, ...report.candidates] : []
  const best = Math.max(0, ...shown.map(({ score = 0 }) => score))
  const toggle = useRef(onToggle)
  toggle.current = onToggle
  // A key press renders the column as pending, with the same report: nothing else is rendered again.
  const list = useMemo(
    () => (
      <ol class="hits">
        {shown.map((hit, at) => (
          <HitItem
            key={hit.name}
            hit={hit}
            query={report?.query ?? ''}
            rank={at + 1}
            best={best}
            isExpected={expected.includes(hit.name)}
            onToggle={(name) => toggle.current(name)}
            move={moves?.get(hit.name)}
          />
        ))}
      </ol>
    ),
    [report, expected.join(), moves && [...moves].join()],
  )
  const details = useMemo(
    () =>
      report && (
        <div class="stacked">
          <NearMisses misses={report.nearMisses} query={report.query} best={best} of={title} />
          <ModelAnswer answer={report.answer} of={title} />
        </div>
      ),
    [report, title],
  )
  return (
    <div class="column" data-pending={answer.isPending || undefined} aria-busy={answer.isPending}>
      <div class="stacked">
        <Panel
          title={title}
          of={moves && 'the compared ranker'}
          aside={
            report && (
              <span role="status">
                {countText(report)} · {formLabels[report.form]} ·{' '}
                {formatMilliseconds(report.milliseconds)}
              </span>
            )
          }
        >
          <Answered answer={answer} what="the results">
            {({ hits, candidates, suggestion, rules, closest, notReady }) => (
              <>
                {candidates.length > 0 && <LowConfidence suggestion={suggestion} />}
                {hits.length + candidates.length === 0 && <NothingFound closest={closest} />}
                {list}
                {rules.map((rule) => (
                  <p key={rule} class="muted">
                    {rule}
                  </p>
                ))}
                {notReady.map(({ server, detail }) => (
                  <p key={server} class="warning">
                    Could not search {server}
                    {detail === undefined ? '.' : `: ${detail}`}
                  </p>
                ))}
              </>
            )}
          </Answered>
        </Panel>
        {below}
      </div>
      {details}
    </div>
  )
}

function countText({ hits, candidates }: SearchReport): string {
  return candidates.length > 0
    ? `low confidence, ${formatMany(candidates.length, 'candidate')}`
    : formatMany(hits.length, 'result')
}

function LowConfidence({ suggestion }: { readonly suggestion?: string | undefined }): JSX.Element {
  return (
    <p class="warning">
      Low confidence: the model gets these tools as candidates, by name and first sentence, and none
      of them is loaded.
      {suggestion !== undefined && (
        <>
          {' '}
          Suggested query: <QueryLink query={suggestion} />
        </>
      )}
    </p>
  )
}

function NothingFound({ closest }: { readonly closest: readonly string[] }): JSX.Element {
  return (
    <Empty title="No results">
      <SimilarNames names={closest} />
    </Empty>
  )
}
