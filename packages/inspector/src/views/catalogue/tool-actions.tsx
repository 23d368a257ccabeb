import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import { EditingNote, useEditingProblem } from '../../actions/editing-note.tsx'
import type { ToolReport } from '../../api/contract.ts'
import { Icon } from '../../parts/icon.tsx'
import { CallDialog } from './call/call-dialog.tsx'
import { HintDialog, OverrideDialog } from './settings-dialogs.tsx'

type Open = 'call' | 'hint' | 'override' | undefined

/** What a person can do with a tool. Every edit of the configuration shows its difference first. */
export function ToolActions({ tool }: { readonly tool: ToolReport }): JSX.Element {
  const { propose } = useActions()
  const problem = useEditingProblem()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { server, originalName, settings, withheld } = tool
  const target = { server, tool: originalName }
  const isLocked = problem !== undefined
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={withheld !== undefined}
          onClick={() => setOpen('call')}
        >
          <Icon name="call" /> Call…
        </button>
        <button
          type="button"
          disabled={isLocked}
          onClick={() => propose({ action: settings.isPinned ? 'unpin' : 'pin', ...target })}
        >
          {settings.isPinned ? 'Unpin…' : 'Pin…'}
        </button>
        <button
          type="button"
          disabled={isLocked}
          onClick={() => propose({ action: 'deny', ...target })}
        >
          Deny…
        </button>
        <button type="button" disabled={isLocked} onClick={() => setOpen('hint')}>
          {settings.hint === undefined ? 'Add search hint…' : 'Edit search hint…'}
        </button>
        <button type="button" disabled={isLocked} onClick={() => setOpen('override')}>
          {settings.override === undefined ? 'Override…' : 'Edit override…'}
        </button>
      </div>
      <EditingNote />
      {open === 'call' && <CallDialog tool={tool} onClose={close} />}
      {open === 'hint' && <HintDialog tool={tool} onClose={close} />}
      {open === 'override' && <OverrideDialog tool={tool} onClose={close} />}
    </>
  )
}
