import type { JSX } from 'preact'
import type { ScorePart } from '../../api/contract.ts'
import { formatMany, formatScore } from '../../parts/format.ts'
import { describePart, weightsByField } from './describe-part.ts'

export interface ScorePartsProps {
  readonly parts: readonly ScorePart[]
  readonly query: string
  /** The highest score in the list, drawn as a full bar. */
  readonly best: number
  readonly isOpen?: boolean
}

/** The parts of a score: one bar by field, and one for each reason. */
export function ScoreParts(props: ScorePartsProps): JSX.Element | null {
  const { parts, query, best, isOpen = false } = props
  if (parts.length === 0 || best <= 0) return null
  const widest = Math.max(...parts.map(({ weight }) => weight))
  return (
    <details class="parts" open={isOpen}>
      <summary>
        <span class="stack" aria-hidden="true">
          {weightsByField(parts).map(({ field, weight }) => (
            <span key={field} data-field={field} style={{ width: `${(weight / best) * 100}%` }} />
          ))}
        </span>
        <span class="parts-count">{formatMany(parts.length, 'reason')}</span>
      </summary>
      <ul>
        {parts.map((part) => (
          <PartRow
            key={`${part.term} ${part.field} ${part.match} ${part.found}`}
            part={part}
            query={query}
            widest={widest}
          />
        ))}
      </ul>
    </details>
  )
}

interface PartRowProps {
  readonly part: ScorePart
  readonly query: string
  readonly widest: number
}

function PartRow({ part, query, widest }: PartRowProps): JSX.Element {
  const { term, found, field, match } = describePart(part, query)
  const width = `${Math.max(0, part.weight / widest) * 100}%`
  return (
    <li class="part">
      <span class="part-term">
        <b>{term}</b>
        {found !== undefined && <> → {found}</>}
      </span>
      <span class="part-where" data-field={part.field}>
        {match === '' ? field : `${field}, ${match}`}
      </span>
      <span class="part-bar" data-field={part.field} aria-hidden="true">
        <span style={{ width }} />
      </span>
      <span class="part-weight">{formatScore(part.weight)}</span>
    </li>
  )
}
