import { isObject } from '../protocol/json-object.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'
import { waitFor } from './wait-for.ts'

/** Hears of changes of resources from a server of the newer era, by one stream for all of them. */
export interface ResourceStream {
  /**
   * Listens to the resources there are now. Settles when the server agrees; rejects with UpstreamError,
   * and then goes on listening as before.
   */
  listen(to: Connection): Promise<void>
}

export interface ResourceStreamOptions {
  /** The server's name, for messages. */
  readonly server: string
  /** The addresses wanted, as they are when it is asked. */
  readonly wanted: () => readonly string[]
  readonly isCurrent: (connection: Connection) => boolean
  /** How long a server may take to agree. */
  readonly patienceMs: () => number
  readonly random: () => number
}

const AGREED = 'notifications/subscriptions/acknowledged'

export function createResourceStream({
  server,
  wanted,
  isCurrent,
  patienceMs,
  random,
}: ResourceStreamOptions): ResourceStream {
  let open: AbortController | undefined
  const changes = createSerialQueue()

  async function replace(to: Connection): Promise<void> {
    const before = open
    const uris = wanted()
    if (uris.length > 0) {
      const next = new AbortController()
      const tooLate = () => failure('timeout', 'did not agree in time to tell of')
      try {
        await waitFor(begin(to, uris, next), patienceMs(), tooLate)
      } catch (error) {
        next.abort()
        throw error
      }
      open = next
    } else open = undefined
    // not before: what happens between the two would be missed
    before?.abort()
  }

  /** Settles when the server agrees. */
  function begin(
    to: Connection,
    uris: readonly string[],
    controller: AbortController,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const filter = { notifications: { resourceSubscriptions: uris } }
      const stream = to.request('subscriptions/listen', filter, {
        own: true,
        signal: controller.signal,
        onNotification(method, { notifications }) {
          if (method !== AGREED) return
          if (isObject(notifications) && notifications.resourceSubscriptions) resolve()
          else reject(failure('refused', 'does not tell of'))
        },
      })
      const ended = failure('died', 'does not tell any more of')
      stream
        .then(() => reject(ended), reject)
        .finally(() => {
          if (open !== controller || !isCurrent(to)) return
          open = undefined
          setTimeout(() => void listen(to).catch(() => {}), backOff(2, random)).unref()
        })
    })
  }

  function failure(code: 'timeout' | 'refused' | 'died', what: string): UpstreamError {
    return new UpstreamError(code, server, `${server} ${what} changes of resources.`)
  }

  function listen(to: Connection): Promise<void> {
    return changes.run(() => replace(to))
  }

  return { listen }
}
