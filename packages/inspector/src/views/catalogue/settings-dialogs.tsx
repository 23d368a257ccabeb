import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { ToolReport } from '../../api/contract.ts'
import { BreakableName } from '../../parts/breakable-name.tsx'
import { Dialog } from '../../parts/dialog.tsx'

export interface SettingsDialogProps {
  readonly tool: ToolReport
  readonly onClose: () => void
}

/** Edits the search hint of a tool. */
export function HintDialog({ tool, onClose }: SettingsDialogProps): JSX.Element {
  const { propose } = useActions()
  const { server, originalName, settings } = tool
  const [hint, setHint] = useState(settings.hint ?? '')
  const save = (value: string | null) => {
    onClose()
    propose({ action: 'hint', server, tool: originalName, value })
  }
  return (
    <Dialog
      title={
        <>
          Search hint for <BreakableName name={tool.name} />
        </>
      }
      onClose={onClose}
      actions={
        <SettingsButtons
          onClose={onClose}
          onRemove={settings.hint === undefined ? undefined : () => save(null)}
          isReady={hint.trim() !== '' && hint.trim() !== settings.hint}
          onSave={() => save(hint.trim())}
        />
      }
    >
      <p class="muted">
        Words that agents use for this task, but the description does not contain. Searches match
        them; the definition stays as it is.
      </p>
      <div class="field">
        <label for="hint">Search hint</label>
        <input
          id="hint"
          value={hint}
          autocomplete="off"
          placeholder="money back, reimburse"
          onInput={({ currentTarget }) => setHint(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && hint.trim() !== '' && save(hint.trim())}
        />
      </div>
    </Dialog>
  )
}

/** Replaces the title and the description of a tool. Other parts of an override are kept. */
export function OverrideDialog({ tool, onClose }: SettingsDialogProps): JSX.Element {
  const { propose } = useActions()
  const { server, originalName, settings, definition } = tool
  const { override } = settings
  const shown = (key: 'title' | 'description') => String(override?.[key] ?? definition[key] ?? '')
  const [title, setTitle] = useState(shown('title'))
  const [description, setDescription] = useState(shown('description'))
  const save = (value: Record<string, unknown> | null) => {
    onClose()
    propose({ action: 'override', server, tool: originalName, value })
  }
  const next = {
    ...override,
    ...changed('title', title, shown('title')),
    ...changed('description', description, shown('description')),
  }
  const isChanged = title !== shown('title') || description !== shown('description')
  return (
    <Dialog
      title={
        <>
          Override <BreakableName name={tool.name} />
        </>
      }
      onClose={onClose}
      actions={
        <SettingsButtons
          onClose={onClose}
          onRemove={override === undefined ? undefined : () => save(null)}
          isReady={isChanged}
          onSave={() => save(next)}
        />
      }
    >
      <p class="muted">
        Agents see this title and description instead of the server's. The server does not change.
      </p>
      <div class="field">
        <label for="override-title">Title</label>
        <input
          id="override-title"
          value={title}
          autocomplete="off"
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="override-description">Description</label>
        <textarea
          id="override-description"
          rows={6}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}

function changed(key: string, value: string, before: string): Record<string, string> {
  return value === before ? {} : { [key]: value }
}

interface SettingsButtonsProps {
  readonly onClose: () => void
  /** Absent if there is nothing to remove. */
  readonly onRemove: (() => void) | undefined
  readonly isReady: boolean
  readonly onSave: () => void
}

function SettingsButtons(props: SettingsButtonsProps): JSX.Element {
  const { onClose, onRemove, isReady, onSave } = props
  return (
    <>
      {onRemove !== undefined && (
        <button type="button" class="first" onClick={onRemove}>
          Remove…
        </button>
      )}
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button type="button" class="primary" disabled={!isReady} onClick={onSave}>
        Review the change…
      </button>
    </>
  )
}
