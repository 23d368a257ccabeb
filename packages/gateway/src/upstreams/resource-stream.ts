import { isObject } from '../protocol/json-object.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'
import { withTimeout } from './with-timeout.ts'

/** Subscribes to resource changes on a modern server, with one stream for all resources. */
export interface ResourceStream {
  /**
   * Replaces the stream with one for the current resources. Resolves when the server acknowledges it.
   * If it fails, rejects with UpstreamError and keeps the old stream.
   */
  listen(connection: Connection): Promise<void>
}

export interface ResourceStreamOptions {
  /** The server's name, for messages. */
  readonly server: string
  /** The resources to watch now. */
  readonly uris: () => readonly string[]
  readonly isCurrent: (connection: Connection) => boolean
  /** How long the server may take to acknowledge a stream. */
  readonly timeoutMs: () => number
  readonly random: () => number
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

export function createResourceStream({
  server,
  uris,
  isCurrent,
  timeoutMs,
  random,
}: ResourceStreamOptions): ResourceStream {
  let open: AbortController | undefined
  // replaces streams one at a time, so that the last one covers all resources
  const replacements = createSerialQueue()
  /** The replacement that waits for its turn. */
  let next: { readonly connection: Connection; readonly replaced: Promise<void> } | undefined

  async function replace(connection: Connection): Promise<void> {
    const previous = open
    const watched = uris()
    if (watched.length > 0) {
      const next = new AbortController()
      const timeoutError = () => failure('timeout', 'did not acknowledge the subscription to')
      try {
        await withTimeout(begin(connection, watched, next), timeoutMs(), timeoutError)
      } catch (error) {
        next.abort()
        throw error
      }
      open = next
    } else open = undefined
    // close the old stream last, so that no change is missed
    previous?.abort()
  }

  /** Resolves when the server acknowledges the stream. */
  function begin(
    connection: Connection,
    watched: readonly string[],
    controller: AbortController,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const filter = { notifications: { resourceSubscriptions: watched } }
      const stream = connection.request('subscriptions/listen', filter, {
        own: true,
        signal: controller.signal,
        onNotification(method, { notifications }) {
          if (method !== ACKNOWLEDGED) return
          if (isObject(notifications) && notifications.resourceSubscriptions) resolve()
          else reject(failure('refused', 'does not support subscriptions to'))
        },
      })
      const ended = failure('died', 'ended the subscription to')
      stream
        .then(() => reject(ended), reject)
        .finally(() => {
          if (open !== controller || !isCurrent(connection)) return
          open = undefined
          setTimeout(() => void listen(connection).catch(() => {}), backOff(2, random)).unref()
        })
    })
  }

  function failure(code: 'timeout' | 'refused' | 'died', what: string): UpstreamError {
    return new UpstreamError(code, server, `${server} ${what} resource changes.`)
  }

  function listen(connection: Connection): Promise<void> {
    // It covers what was added meanwhile: a client can ask for hundreds of resources at once.
    if (next?.connection === connection) return next.replaced
    const replaced = replacements.run(() => {
      if (next?.replaced === replaced) next = undefined
      return replace(connection)
    })
    next = { connection, replaced }
    return replaced
  }

  return { listen }
}
