import type { JSX } from 'preact'
import { useGateway } from '../api/gateway-context.ts'

const words = {
  open: 'Live',
  connecting: 'Connecting …',
  waiting: 'Connection lost',
  locked: 'Locked',
} as const

/** Whether what one sees is what is, and a way to try again if not. */
export function ConnectionLamp(): JSX.Element {
  const { connection, reconnect } = useGateway()
  return (
    <div class="lamp" data-is={connection.kind}>
      <span role="status">
        <span class="lamp-light" aria-hidden="true" />
        {words[connection.kind]}
        {connection.kind === 'waiting' && (
          <span class="lamp-more"> · again in {Math.ceil(connection.milliseconds / 1000)} s</span>
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
