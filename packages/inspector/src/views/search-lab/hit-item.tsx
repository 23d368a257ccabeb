import type { JSX } from 'preact'
import type { ReportedHit } from '../../api/contract.ts'
import { formatScore } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'
import { describeMove, type RankMove } from './rank-moves.ts'
import { ScoreParts } from './score-parts.tsx'

export interface HitItemProps {
  readonly hit: ReportedHit
  readonly query: string
  readonly rank: number
  /** The highest score in the list, drawn as a full bar. */
  readonly best: number
  readonly isExpected: boolean
  readonly onToggle: (tool: string) => void
  readonly move?: RankMove | undefined
}

export function HitItem(props: HitItemProps): JSX.Element {
  const { hit, query, rank, best, isExpected, onToggle, move } = props
  const { name, server, summary, isSkill, withSkill, score, parts } = hit
  return (
    <li class="hit" data-expected={isExpected || undefined}>
      <div class="hit-head">
        <span class="rank" aria-hidden="true">
          {rank}
        </span>
        <ToolLink name={name} />
        {isSkill && <span class="tag">skill</span>}
        {move !== undefined && (
          <span class="move" data-move={move === 'only-here' ? 'new' : Math.sign(move)}>
            {describeMove(move)}
          </span>
        )}
        <button
          type="button"
          class="expected-result"
          aria-pressed={isExpected}
          aria-label={`${name} is an expected result`}
          onClick={() => onToggle(name)}
        >
          <Icon name="check" /> <span>expected</span>
        </button>
        {score !== undefined && (
          <span class="score">
            <span class="visually-hidden">score </span>
            {formatScore(score)}
          </span>
        )}
      </div>
      <p class="hit-summary">
        <ServerMark server={server} /> {revealHidden(summary)}
        {withSkill !== undefined && <span class="muted"> Comes with {withSkill}.</span>}
      </p>
      <ScoreParts parts={parts} query={query} tool={hit} best={best} isOpen={rank === 1} />
    </li>
  )
}
