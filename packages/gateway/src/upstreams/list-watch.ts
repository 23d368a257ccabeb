import type { JsonObject } from '../protocol/json-object.ts'
import type { UpstreamError } from '../protocol/upstream-error.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'

/** Hears of changes of a server's lists, and has its tools read again. */
export interface ListWatch {
  /** Servers of the newer era tell of changes only to who listens. */
  listen(to: Connection, capabilities: JsonObject): void
  /** The list of tools may be another. */
  planRefresh(): void
  stop(): void
}

export interface ListWatchOptions {
  /** Reads the tools again. Never rejects. */
  readonly refresh: () => Promise<void>
  readonly isCurrent: (connection: Connection) => boolean
  readonly random: () => number
}

// after the last of several changes in a row
const SETTLE_MS = 100

export function createListWatch({ refresh, isCurrent, random }: ListWatchOptions): ListWatch {
  const listening = new WeakSet<Connection>()
  let timer: NodeJS.Timeout | undefined
  let refreshing: Promise<void> | undefined

  function planRefresh(): void {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      // a change told while the list is read may not be in it
      await refreshing
      refreshing = refresh()
    }, SETTLE_MS)
    timer.unref()
  }

  return {
    listen(to, capabilities) {
      const kinds = ['tools', 'resources', 'prompts'].filter(
        (kind) =>
          (capabilities[kind] as { listChanged?: unknown } | undefined)?.listChanged === true,
      )
      if (kinds.length === 0 || listening.has(to)) return
      listening.add(to)
      const again = () => {
        listening.delete(to)
        if (!isCurrent(to)) return
        // changes may have been missed
        setTimeout(planRefresh, backOff(2, random)).unref()
      }
      const wanted = kinds.map((kind) => [`${kind}ListChanged`, true] as const)
      const filter = { notifications: Object.fromEntries(wanted) }
      to.request('subscriptions/listen', filter, { own: true }).then(
        again,
        (error: UpstreamError) => {
          if (error.code !== 'refused') again()
        },
      )
    },
    planRefresh,
    stop() {
      clearTimeout(timer)
    },
  }
}
