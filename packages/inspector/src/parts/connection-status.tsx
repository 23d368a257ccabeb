import type { JSX } from 'preact'
import { useGateway } from '../api/gateway-context.ts'

const labels = {
  open: 'Live',
  connecting: 'Connecting…',
  waiting: 'Connection lost',
  locked: 'Locked',
} as const

/** Shows whether the page is up to date, and a button to reconnect if not. */
export function ConnectionStatus(): JSX.Element {
  const { connection, reconnect } = useGateway()
  return (
    <div class="connection" data-is={connection.kind}>
      <span role="status">
        <span class="connection-light" aria-hidden="true" />
        {labels[connection.kind]}
        {connection.kind === 'waiting' && (
          <span class="connection-more">
            {' '}
            · retrying in {Math.ceil(connection.milliseconds / 1000)} s
          </span>
        )}
      </span>
      {connection.kind === 'waiting' && (
        <button type="button" class="link" onClick={reconnect}>
          Retry now
        </button>
      )}
    </div>
  )
}
