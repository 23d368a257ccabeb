import type { JSX } from 'preact'
import type { ToolExplanation } from '../../api/contract.ts'
import { formatScore } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'
import { ScoreParts } from './score-parts.tsx'
import { verdictLabels } from './verdict-labels.ts'

export interface NearMissesProps {
  readonly misses: readonly ToolExplanation[]
  readonly query: string
  readonly best: number
  readonly of: string
}

export function NearMisses({ misses, query, best, of }: NearMissesProps): JSX.Element {
  return (
    <Panel title="Near misses" of={of} aside="highest-ranked tools not returned" isCollapsible>
      {misses.length === 0 ? (
        <p class="muted">No other tools matched.</p>
      ) : (
        <ol class="hits misses-near">
          {misses.map((miss) => (
            <li key={miss.tool} class="hit">
              <div class="hit-head">
                <span class="rank" aria-hidden="true">
                  {miss.rank ?? '–'}
                </span>
                <ToolLink name={miss.tool} />
                <span class="tag">{verdictLabels[miss.verdict]}</span>
                {miss.score !== undefined && <span class="score">{formatScore(miss.score)}</span>}
              </div>
              <ScoreParts
                parts={miss.parts}
                query={query}
                tool={{ name: miss.tool }}
                best={Math.max(best, miss.best ?? 0)}
              />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
