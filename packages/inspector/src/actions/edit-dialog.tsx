import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../api/api-failure.ts'
import type { ConfigChangeReport, ConfigEdit, DiffLine } from '../api/contract.ts'
import { useGateway } from '../api/gateway-context.ts'
import { useAnswer } from '../api/use-answer.ts'
import { BreakableName } from '../parts/breakable-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DiffLines } from '../parts/diff-view.tsx'
import { Answered } from '../parts/states.tsx'
import { useActions } from './actions-context.ts'

export interface EditDialogProps {
  readonly edit: ConfigEdit
  readonly onClose: () => void
}

/** Shows what an edit changes in the configuration file before it is written. */
export function EditDialog({ edit, onClose }: EditDialogProps): JSX.Element {
  const { client } = useGateway()
  const { toast } = useActions()
  const preview = useAnswer(JSON.stringify(edit), (gateway, signal) =>
    gateway.previewEdit(edit, signal),
  )
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isUnchanged = preview.value?.diff.length === 0

  async function write(): Promise<void> {
    setBusy(true)
    try {
      const report = await client.edit(edit)
      const { undo } = report
      toast({
        text: doneText(report),
        ...(undo !== undefined && {
          undo: async () => `Undone: ${(await client.undoEdit(undo)).title}`,
        }),
      })
      onClose()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={<BreakableName name={preview.value?.title ?? 'Change the configuration'} />}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            {isUnchanged ? 'Close' : 'Cancel'}
          </button>
          {!isUnchanged && (
            <button
              type="button"
              class="primary"
              disabled={isBusy || preview.value === undefined}
              onClick={write}
            >
              {isBusy ? 'Writing…' : 'Write the file'}
            </button>
          )}
        </>
      }
    >
      <Answered answer={preview} what="the difference">
        {({ diff, file }) => (
          <>
            <p class="muted">
              {diff.length === 0 ? (
                <>
                  <code>{file}</code> already says so.
                </>
              ) : (
                <>
                  Changes in <code>{file}</code>. Comments and formatting stay as they are.
                </>
              )}
            </p>
            {diff.length > 0 && <DiffLines lines={withGaps(diff)} />}
          </>
        )}
      </Answered>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

function doneText({ title, isApplied, undo }: ConfigChangeReport): string {
  if (undo === undefined) return `${title}: nothing to change.`
  return isApplied ? `${title}: done.` : `${title}: written, but not in effect yet.`
}

/** Marks the places where lines are left out. */
function withGaps(diff: readonly DiffLine[]) {
  let last = 0
  return diff.flatMap((line) => {
    const isGap = line.kind === 'same' && last > 0 && line.line > last + 1
    if (line.kind !== 'removed') last = line.line
    return isGap ? [{ kind: 'gap' as const, text: '…' }, line] : [line]
  })
}
