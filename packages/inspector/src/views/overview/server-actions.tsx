import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import { useEditingProblem } from '../../actions/editing-note.tsx'
import { restartServer, signInToServer } from '../../actions/server-tasks.ts'
import type { ServerReport } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'

/** What a person can do with a server. */
export function ServerActions({ server }: { readonly server: ServerReport }): JSX.Element {
  const { client } = useGateway()
  const { propose, attempt } = useActions()
  const problem = useEditingProblem()
  const [isBusy, setBusy] = useState(false)
  const { name, state } = server

  async function run(task: typeof restartServer): Promise<void> {
    setBusy(true)
    await attempt(() => task(client, name))
    setBusy(false)
  }

  return (
    <div class="actions">
      {state === 'needs-sign-in' && (
        <button type="button" class="primary" disabled={isBusy} onClick={() => run(signInToServer)}>
          Sign in…<span class="visually-hidden"> to {name}</span>
        </button>
      )}
      <button
        type="button"
        disabled={isBusy || state === 'connecting'}
        onClick={() => run(restartServer)}
      >
        {isBusy ? 'Restarting…' : 'Restart'}
        <span class="visually-hidden"> {name}</span>
      </button>
      <button
        type="button"
        disabled={problem !== undefined}
        title={problem}
        onClick={() => propose({ action: 'disable', server: name })}
      >
        Disable…<span class="visually-hidden"> {name}</span>
      </button>
    </div>
  )
}

/** Servers that the configuration disables. */
export function DisabledServers({ names }: { readonly names: readonly string[] }): JSX.Element {
  const { propose } = useActions()
  const problem = useEditingProblem()
  return (
    <ul class="servers disabled-servers" aria-label="Disabled servers">
      {names.map((name) => (
        <li key={name} class="server-line">
          <b class="muted">{name}</b>
          <span class="badge">Disabled</span>
          <button
            type="button"
            disabled={problem !== undefined}
            title={problem}
            onClick={() => propose({ action: 'enable', server: name })}
          >
            Enable…<span class="visually-hidden"> {name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
