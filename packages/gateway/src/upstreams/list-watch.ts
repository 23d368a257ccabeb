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
  /** Refreshes at once, or schedules it if there were many refreshes. Never rejects. */
  refresh(): Promise<void>
  stop(): void
}

export interface ListWatchOptions {
  /**
   * Reads the tools again. Never rejects.
   *
   * @param isLate whether it had to wait, because the lists change too often
   */
  readonly refresh: (isLate: boolean) => Promise<void>
  readonly isCurrent: (connection: Connection) => boolean
  readonly now: () => number
  readonly random: () => number
}

// several changes in a row cause one refresh
const DEBOUNCE_MS = 100
/** A server that changes its lists more often than this is read again only now and then. */
export const MAX_REFRESHES_PER_MINUTE = 10
const MINUTE_MS = 60_000

export function createListWatch({ refresh, isCurrent, now, random }: ListWatchOptions): ListWatch {
  const listening = new WeakSet<Connection>()
  let timer: NodeJS.Timeout | undefined
  let refreshing: Promise<void> | undefined
  /** When the latest refreshes were scheduled for. */
  let times: number[] = []

  function earliest(): number {
    times = times.slice(1 - MAX_REFRESHES_PER_MINUTE)
    return times.length < MAX_REFRESHES_PER_MINUTE - 1 ? 0 : times[0]! + MINUTE_MS
  }

  function scheduleRefresh(): void {
    // that refresh will find this change as well
    if (timer) return
    const due = now() + DEBOUNCE_MS
    const at = Math.max(due, earliest())
    times.push(at)
    timer = setTimeout(async () => {
      // a refresh that was already running may have missed the change
      await refreshing
      timer = undefined
      refreshing = refresh(at > due)
    }, at - now())
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
    async refresh() {
      if (earliest() > now()) return scheduleRefresh()
      times.push(now())
      refreshing = refresh(false)
      await refreshing
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
