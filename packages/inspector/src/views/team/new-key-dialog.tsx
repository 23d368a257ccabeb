import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import type { NewKey, NewKeyRequest } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'

interface NewKeyDialogProps {
  readonly onClose: () => void
  readonly onCreated: (created: NewKey) => void
}

/** Asks what a new API key is for. */
export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps): JSX.Element {
  const { client } = useGateway()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    try {
      onCreated(await client.createKey(readForm(data)))
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Create an API key"
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form="new-key" class="primary" disabled={isBusy}>
            {isBusy ? 'Creating…' : 'Create'}
          </button>
        </>
      }
    >
      <form id="new-key" class="fields" onSubmit={submit}>
        <label for="key-name">Name</label>
        <input id="key-name" name="name" required maxLength={100} autocomplete="off" />
        <p class="muted">What uses the key, such as "nightly report".</p>
        <label for="key-groups">Groups</label>
        <input id="key-groups" name="groups" autocomplete="off" />
        <p class="muted">Separated by commas. The rules for these groups apply to the key.</p>
        <label for="key-allow">Tools</label>
        <input id="key-allow" name="allow" autocomplete="off" />
        <p class="muted">
          Names, patterns or effects, separated by commas, such as <code>docs/*, read</code>. Empty:
          everything that the rules allow.
        </p>
        <label for="key-profiles">Profiles</label>
        <input id="key-profiles" name="profiles" autocomplete="off" />
        <p class="muted">Separated by commas. Empty: all addresses of the gateway.</p>
        <label for="key-days">Expires after</label>
        <div class="field-row">
          <input id="key-days" name="days" type="number" min={1} max={3650} value={90} /> days
        </div>
        <p class="muted">Empty: never.</p>
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
    </Dialog>
  )
}

function readForm(data: FormData): NewKeyRequest {
  const text = (name: string) => String(data.get(name) ?? '').trim()
  const list = (name: string) => {
    const items = text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    return items.length > 0 ? { [name]: items } : {}
  }
  return {
    name: text('name'),
    ...list('groups'),
    ...list('allow'),
    ...list('profiles'),
    ...(text('days') !== '' && { days: Number(text('days')) }),
  }
}

interface CreatedKeyDialogProps {
  readonly created: NewKey
  readonly onClose: () => void
}

/** Shows the key itself, once. */
export function CreatedKeyDialog({ created, onClose }: CreatedKeyDialogProps): JSX.Element {
  return (
    <Dialog
      title={`The key "${created.key.name}"`}
      onClose={onClose}
      actions={
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <p>Copy it now: the gateway stores only a hash, and the key is never shown again.</p>
      <p class="field-row">
        <code class="secret">{created.secret}</code>
        <CopyButton text={created.secret} what="the key" />
      </p>
      <p class="muted">
        Clients send it as <code>Authorization: Bearer …</code>
      </p>
    </Dialog>
  )
}
