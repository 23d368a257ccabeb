import type { JsonObject } from '../protocol/json-object.ts'
import type { UpstreamError } from '../protocol/upstream-error.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'

/** Refreshes a server's tools when it reports that its lists have changed. */
export interface ListWatch {
  /** Subscribes to list changes: a modern server reports them only to subscribers. */
  listen(connection: Connection, capabilities: JsonObject): void
  /** Call it when the list of tools may have changed. */
  scheduleRefresh(): void
  stop(): void
}

export interface ListWatchOptions {
  /** Reads the tools again. Never rejects. */
  readonly refresh: () => Promise<void>
  readonly isCurrent: (connection: Connection) => boolean
  readonly random: () => number
}

// several changes in a row cause one refresh
const DEBOUNCE_MS = 100

export function createListWatch({ refresh, isCurrent, random }: ListWatchOptions): ListWatch {
  const listening = new WeakSet<Connection>()
  let timer: NodeJS.Timeout | undefined
  let refreshing: Promise<void> | undefined

  function scheduleRefresh(): void {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      // a refresh that was already running may have missed the change
      await refreshing
      refreshing = refresh()
    }, DEBOUNCE_MS)
    timer.unref()
  }

  return {
    listen(connection, capabilities) {
      const kinds = ['tools', 'resources', 'prompts'].filter(
        (kind) =>
          (capabilities[kind] as { listChanged?: unknown } | undefined)?.listChanged === true,
      )
      if (kinds.length === 0 || listening.has(connection)) return
      listening.add(connection)
      const listenAgain = () => {
        listening.delete(connection)
        if (!isCurrent(connection)) return
        // a refresh finds changes that were missed meanwhile, and subscribes again
        setTimeout(scheduleRefresh, backOff(2, random)).unref()
      }
      const wanted = kinds.map((kind) => [`${kind}ListChanged`, true] as const)
      const filter = { notifications: Object.fromEntries(wanted) }
      connection
        .request('subscriptions/listen', filter, { own: true })
        .then(listenAgain, (error: UpstreamError) => {
          if (error.code !== 'refused') listenAgain()
        })
    },
    scheduleRefresh,
    stop() {
      clearTimeout(timer)
    },
  }
}
