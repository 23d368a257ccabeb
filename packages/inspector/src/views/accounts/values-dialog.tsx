import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import type { AccountOverview } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { Dialog } from '../../parts/dialog.tsx'

interface ValuesDialogProps {
  readonly account: AccountOverview
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Asks for the secrets that a server needs from this person. They can be replaced, but never read. */
export function ValuesDialog({ account, onClose, onSaved }: ValuesDialogProps): JSX.Element {
  const { client } = useGateway()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { server, values } = account

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const entered = Object.fromEntries(
      [...data].filter(([, value]) => value !== '').map(([name, value]) => [name, String(value)]),
    )
    if (Object.keys(entered).length === 0) return setProblem('Enter a value.')
    setBusy(true)
    try {
      await client.setAccountValues(server, entered)
      onSaved()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={`Your values for ${server}`}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form="account-values" class="primary" disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Save'}
          </button>
        </>
      }
    >
      <form id="account-values" class="fields" onSubmit={submit}>
        {values.map(({ name, isSet }) => (
          <div key={name}>
            <label for={`value-${name}`}>{name}</label>
            <input
              id={`value-${name}`}
              name={name}
              type="password"
              autocomplete="off"
              placeholder={isSet ? 'stored; enter a new value to replace it' : ''}
            />
          </div>
        ))}
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
    </Dialog>
  )
}
