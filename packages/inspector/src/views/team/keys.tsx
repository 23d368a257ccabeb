import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { KeySummary, NewKey } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { formatDate } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { CreatedKeyDialog, NewKeyDialog } from './new-key-dialog.tsx'

/** The API keys of machines. */
export function Keys(): JSX.Element {
  const { client } = useGateway()
  const { attempt } = useActions()
  const keys = useAnswer('keys', (client, signal) => client.keys(signal))
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewKey>()
  const [revoking, setRevoking] = useState<KeySummary>()

  async function revoke({ id, name }: KeySummary): Promise<void> {
    setRevoking(undefined)
    await attempt(async () => {
      await client.revokeKey(id)
      return { text: `Revoked the key "${name}".` }
    })
    keys.reload()
  }

  return (
    <Panel
      title="API keys"
      aside={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create a key…
        </button>
      }
    >
      <Answered answer={keys} what="the keys">
        {(value) =>
          value.keys.length === 0 ? (
            <Empty title="No API keys">
              <p>Create one for each machine or service that uses the gateway without a person.</p>
            </Empty>
          ) : (
            <KeyTable keys={value.keys} onRevoke={setRevoking} />
          )
        }
      </Answered>
      {isCreating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
            keys.reload()
          }}
        />
      )}
      {created && <CreatedKeyDialog created={created} onClose={() => setCreated(undefined)} />}
      {revoking && (
        <Dialog
          title={`Revoke the key "${revoking.name}"?`}
          onClose={() => setRevoking(undefined)}
          actions={
            <>
              <button type="button" onClick={() => setRevoking(undefined)}>
                Cancel
              </button>
              <button type="button" class="danger" onClick={() => revoke(revoking)}>
                Revoke
              </button>
            </>
          }
        >
          <p>Everything that uses it is refused from now on. This cannot be undone.</p>
        </Dialog>
      )}
    </Panel>
  )
}

interface KeyTableProps {
  readonly keys: readonly KeySummary[]
  readonly onRevoke: (key: KeySummary) => void
}

const states = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const

function KeyTable({ keys, onRevoke }: KeyTableProps): JSX.Element {
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Groups</th>
            <th scope="col">Limited to</th>
            <th scope="col">Expires</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                {key.name} <span class="muted">{key.id}</span>
              </th>
              <td>
                <span class="badge" data-state={key.state === 'active' ? 'ready' : undefined}>
                  {states[key.state]}
                </span>
                {key.role === 'administrator' && <span class="tag">Administrator</span>}
              </td>
              <td>{key.groups.join(', ')}</td>
              <td>{scopeOf(key)}</td>
              <td>{dateOf(key.expiresAt, 'Never')}</td>
              <td>{dateOf(key.lastUsedAt, 'Never')}</td>
              <td>
                {key.state === 'active' && (
                  <button type="button" onClick={() => onRevoke(key)}>
                    Revoke…<span class="visually-hidden"> {key.name}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function scopeOf({ allow, profiles }: KeySummary): string {
  const parts = [
    allow?.join(', '),
    profiles && `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`,
  ]
  return parts.filter((part) => part !== undefined).join('; ')
}

function dateOf(iso: string | undefined, none: string): JSX.Element | string {
  return iso === undefined ? none : <time dateTime={iso}>{formatDate(iso)}</time>
}
