import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import type { ToolReport } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { announce } from '../../parts/announce.tsx'
import { DiffView } from '../../parts/diff-view.tsx'
import { formatDate, formatMany } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'

export interface ToolHistoryProps {
  readonly tool: ToolReport
  readonly onAccepted: (tool: ToolReport) => void
}

/** Earlier definitions of a tool, and what changed since it was approved. Empty if it never changed. */
export function ToolHistory({ tool, onAccepted }: ToolHistoryProps): JSX.Element | null {
  const { history, definition, isChanged } = tool
  if (history.length === 0 && !isChanged) return null
  const approved = history.find((past) => past.isApproved)
  // Don't repeat the difference shown above.
  const earlier = isChanged && history.length === 1 && approved !== undefined ? [] : history
  return (
    <>
      {isChanged && (
        <section class="changed" aria-labelledby="changed-title">
          <h3 id="changed-title">
            <Icon name="warning" /> Changed since it was approved
          </h3>
          {approved === undefined ? (
            <p>The approved definition is no longer available.</p>
          ) : (
            <DiffView before={approved.definition} after={definition} />
          )}
          <AcceptButton tool={tool} onAccepted={onAccepted} />
        </section>
      )}
      {earlier.length > 0 && (
        <details>
          <summary>{formatMany(earlier.length, 'earlier definition')}</summary>
          <ol class="history">
            {earlier.map((past, at) => (
              <li key={past.replacedAt}>
                <p>
                  Replaced {formatDate(past.replacedAt)}{' '}
                  {past.isApproved && <span class="tag">approved</span>}
                </p>
                <DiffView
                  before={past.definition}
                  after={history[at - 1]?.definition ?? definition}
                />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}

function AcceptButton({ tool, onAccepted }: ToolHistoryProps): JSX.Element {
  const { client } = useGateway()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function accept(): Promise<void> {
    setBusy(true)
    try {
      onAccepted(await client.accept(tool))
      announce(`Accepted the current definition of ${tool.name}`)
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" class="primary" onClick={accept} disabled={isBusy}>
        Accept this definition
      </button>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
