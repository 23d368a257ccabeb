import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { AccountOverview } from '../../api/contract.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { formatDate } from '../../parts/format.ts'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { ValuesDialog } from './values-dialog.tsx'

/** The person's own accounts on the servers behind the gateway. */
export function AccountsView({ route }: ViewProps): JSX.Element {
  const accounts = useAnswer('accounts', (client, signal) => client.accounts(signal))
  const { connected } = route.params
  return (
    <>
      <PageHead title="Accounts">
        Agents use these servers with your own accounts. Nobody else can use them, and the gateway
        stores them encrypted.
      </PageHead>
      {connected !== undefined && (
        <p class="notice" role="status">
          Connected {connected}.
        </p>
      )}
      <Panel title="Your accounts">
        <Answered answer={accounts} what="your accounts">
          {(value) =>
            value.accounts.length === 0 ? (
              <Empty title="No server needs an account of yours" />
            ) : (
              <ul class="servers">
                {value.accounts.map((account) => (
                  <AccountItem key={account.server} account={account} reload={accounts.reload} />
                ))}
              </ul>
            )
          }
        </Answered>
      </Panel>
    </>
  )
}

const states = {
  connected: { title: 'Connected', badge: 'ready' },
  'not-connected': { title: 'Not connected', badge: undefined },
  expired: { title: 'Expired', badge: 'needs-sign-in' },
  unreadable: { title: 'Connect again', badge: 'failed' },
} as const

interface AccountItemProps {
  readonly account: AccountOverview
  readonly reload: () => void
}

function AccountItem({ account, reload }: AccountItemProps): JSX.Element {
  const { client } = useGateway()
  const { attempt } = useActions()
  const [isBusy, setBusy] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const { server, description, state, kind, values, scope, wantedScope, updatedAt } = account
  const { title, badge } = states[state]

  async function connect(): Promise<void> {
    setBusy(true)
    await attempt(async () => {
      const { url } = await client.connectAccount(server)
      if (!/^https?:\/\//i.test(url)) throw new Error(`${server} sent an invalid sign-in address.`)
      // In this tab: the browser that starts a sign-in must be the one that finishes it.
      location.assign(url)
      return undefined
    })
    setBusy(false)
  }

  async function disconnect(): Promise<void> {
    await attempt(async () => {
      await client.disconnectAccount(server)
      return { text: `Disconnected ${server}.` }
    })
    reload()
  }

  return (
    <li class="server-line account">
      <div>
        <b>{server}</b>{' '}
        <span class="badge" data-state={badge}>
          {title}
        </span>
        {description !== undefined && <p class="muted">{description}</p>}
        {wantedScope !== undefined && (
          <p class="muted">The server asks for more permissions: {wantedScope}. Connect again.</p>
        )}
        {state === 'connected' && (scope !== undefined || updatedAt !== undefined) && (
          <p class="muted">
            {scope !== undefined && `Permissions: ${scope}. `}
            {updatedAt !== undefined && `Since ${formatDate(new Date(updatedAt).toISOString())}.`}
          </p>
        )}
        {account.connection?.detail !== undefined && (
          <p class="muted">{account.connection.detail}</p>
        )}
      </div>
      <div class="actions">
        {kind === 'sign-in' && (
          <button
            type="button"
            class={state === 'connected' ? undefined : 'primary'}
            disabled={isBusy}
            onClick={connect}
          >
            {state === 'not-connected' ? 'Connect' : 'Connect again'}
            <span class="visually-hidden"> {server}</span>
          </button>
        )}
        {values.length > 0 && (
          <button
            type="button"
            class={state === 'connected' ? undefined : 'primary'}
            onClick={() => setEditing(true)}
          >
            {state === 'connected' ? 'Change…' : 'Enter…'}
            <span class="visually-hidden"> values for {server}</span>
          </button>
        )}
        {kind !== 'nothing' && state !== 'not-connected' && (
          <button type="button" onClick={disconnect}>
            Disconnect<span class="visually-hidden"> {server}</span>
          </button>
        )}
      </div>
      {isEditing && (
        <ValuesDialog
          account={account}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            reload()
          }}
        />
      )}
    </li>
  )
}
