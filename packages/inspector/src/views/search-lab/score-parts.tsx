import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ScorePart } from '../../api/contract.ts'
import { formatMany, formatScore } from '../../parts/format.ts'
import {
  type FieldWeight,
  type Reason,
  reasonsOf,
  type ToolText,
  weightsByField,
} from './reasons.ts'

export interface ScorePartsProps {
  readonly parts: readonly ScorePart[]
  readonly query: string
  readonly tool: ToolText
  /** The highest score in the list, drawn as a full bar. */
  readonly best: number
  readonly isOpen?: boolean
}

/** The parts of a score: one bar by field, and one for each word of the query. */
export function ScoreParts(props: ScorePartsProps): JSX.Element | null {
  const { parts, query, tool, best, isOpen = false } = props
  const reasons = useMemo(() => reasonsOf(parts, query, tool), [parts, query, tool.name])
  if (parts.length === 0 || best <= 0) return null
  const widest = Math.max(...reasons.map(({ weight }) => weight))
  return (
    <details class="parts" open={isOpen}>
      <summary>
        <Stack fields={weightsByField(parts)} whole={best} />
        <span class="parts-count">{formatMany(reasons.length, 'reason')}</span>
      </summary>
      <ul>
        {reasons.map((reason) => (
          <ReasonRow key={reason.term} reason={reason} widest={widest} />
        ))}
      </ul>
    </details>
  )
}

interface StackProps {
  readonly fields: readonly FieldWeight[]
  readonly whole: number
}

function Stack({ fields, whole }: StackProps): JSX.Element {
  return (
    <span class="stack" aria-hidden="true">
      {fields.map(({ field, weight }) => (
        <span key={field} data-field={field} style={{ width: `${(weight / whole) * 100}%` }} />
      ))}
    </span>
  )
}

interface ReasonRowProps {
  readonly reason: Reason
  readonly widest: number
}

function ReasonRow({ reason, widest }: ReasonRowProps): JSX.Element {
  const { term, found, where, weight, fields } = reason
  const words = found.length === 0 ? term : `${term} → ${found.join(', ')}`
  return (
    <li class="part">
      <span class="part-term" title={words}>
        <b>{term}</b>
        {found.length > 0 && <> → {found.join(', ')}</>}
      </span>
      <span class="part-where">{where}</span>
      <Stack fields={fields} whole={widest} />
      <span class="part-weight">{formatScore(weight)}</span>
    </li>
  )
}
