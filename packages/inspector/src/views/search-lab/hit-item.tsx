import type { JSX } from 'preact'
import type { ReportedHit } from '../../api/contract.ts'
import { formatScore } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'
import { moveWords, type RankMove } from './rank-moves.ts'
import { ScoreParts } from './score-parts.tsx'

export interface HitItemProps {
  readonly hit: ReportedHit
  readonly query: string
  readonly rank: number
  /** The highest score in the list: the full length of a bar. */
  readonly best: number
  readonly isRight: boolean
  readonly onToggle: (tool: string) => void
  readonly move?: RankMove | undefined
}

export function HitItem(props: HitItemProps): JSX.Element {
  const { hit, query, rank, best, isRight, onToggle, move } = props
  const { name, server, summary, score, parts } = hit
  return (
    <li class="hit" data-right={isRight || undefined}>
      <div class="hit-head">
        <span class="rank" aria-hidden="true">
          {rank}
        </span>
        <ToolLink name={name} />
        {move !== undefined && (
          <span class="move" data-move={move === 'only-here' ? 'new' : Math.sign(move)}>
            {moveWords(move)}
          </span>
        )}
        <button
          type="button"
          class="right-answer"
          aria-pressed={isRight}
          aria-label={`${name} is a right answer`}
          onClick={() => onToggle(name)}
        >
          <Icon name="check" /> <span>right answer</span>
        </button>
        {score !== undefined && (
          <span class="score">
            <span class="unseen">score </span>
            {formatScore(score)}
          </span>
        )}
      </div>
      <p class="hit-summary">
        <ServerMark server={server} /> {revealHidden(summary)}
      </p>
      <ScoreParts parts={parts} query={query} best={best} isOpen={rank <= 2} />
    </li>
  )
}
