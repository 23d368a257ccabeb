import type { JSX } from 'preact'
import type { ToolReport } from '../../api/contract.ts'
import { DiffView } from '../../parts/diff-view.tsx'
import { formatDate, formatMany } from '../../parts/format.ts'

/** Earlier definitions of a tool. Empty if it never changed. */
export function ToolHistory({ tool }: { readonly tool: ToolReport }): JSX.Element | null {
  const { history, definition, isChanged } = tool
  // Don't repeat the difference that the decision shows.
  const earlier = isChanged && history.length === 1 && history[0]?.isApproved ? [] : history
  if (earlier.length === 0) return null
  return (
    <details>
      <summary>{formatMany(earlier.length, 'earlier definition')}</summary>
      <ol class="history">
        {earlier.map((past, at) => (
          <li key={past.replacedAt}>
            <p>
              Replaced {formatDate(past.replacedAt)}{' '}
              {past.isApproved && <span class="tag">approved</span>}
            </p>
            <DiffView before={past.definition} after={history[at - 1]?.definition ?? definition} />
          </li>
        ))}
      </ol>
    </details>
  )
}
