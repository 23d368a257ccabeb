import type { Activity } from './activity/activity.ts'
import type { LiveEvent, ServerReport } from './api.ts'

/** Pushes changes to open pages. */
export interface LiveEvents {
  /** Returns a stream of server-sent events that ends when the request is aborted. */
  stream(signal: AbortSignal): Response
  send(event: LiveEvent): void
  /** Call when tools or servers may have changed: sends what did. */
  refresh(): void
  close(): void
}

export interface LiveEventsOptions {
  readonly activity: Pick<Activity, 'subscribe' | 'session' | 'running'>
  /** Returns the current servers and tool list version. Only called while a page listens. */
  readonly state: () => { readonly servers: readonly ServerReport[]; readonly version: number }
  /** Interval of the comments that keep idle connections open. @default 15_000 */
  readonly heartbeatMs?: number
  /** Changes within this time are sent together. @default 100 */
  readonly batchMs?: number
  /** A client with more unread characters is disconnected; it reconnects. @default 1_000_000 */
  readonly maxUnread?: number
}

interface Listener {
  send(text: string): void
  end(): void
}

export function createLiveEvents({
  activity,
  state,
  heartbeatMs = 15_000,
  batchMs = 100,
  maxUnread = 1_000_000,
}: LiveEventsOptions): LiveEvents {
  const listeners = new Set<Listener>()
  let sent = { servers: '', version: -1 }
  let refreshTimer: NodeJS.Timeout | undefined
  /** Sessions with changes to send. Collected, because reports are large and every call changes one. */
  const sessions = new Set<string>()
  let sessionTimer: NodeJS.Timeout | undefined
  let runningTimer: NodeJS.Timeout | undefined
  /** The ids of the running calls that were sent last. */
  let sentRunning = ''
  const stop = activity.subscribe((update) => {
    if (listeners.size === 0) return
    if (update.kind === 'activity') live.send(update)
    else if (update.kind === 'running') runningTimer ??= setTimeout(sendRunning, batchMs).unref()
    else {
      sessions.add(update.id)
      sessionTimer ??= setTimeout(sendSessions, batchMs).unref()
    }
  })
  const heartbeat = setInterval(() => sendAll(':\n\n'), heartbeatMs).unref()

  function sendAll(text: string): void {
    for (const listener of [...listeners]) listener.send(text)
  }

  function sendState(): void {
    refreshTimer = undefined
    if (listeners.size === 0) return
    const { servers, version } = state()
    const text = JSON.stringify(servers)
    if (version !== sent.version) live.send({ kind: 'tools', version })
    if (text !== sent.servers) live.send({ kind: 'servers', servers })
    sent = { servers: text, version }
  }

  function sendSessions(): void {
    sessionTimer = undefined
    for (const id of sessions) {
      const session = activity.session(id)
      if (session) live.send({ kind: 'session', session })
    }
    sessions.clear()
  }

  function sendRunning(): void {
    runningTimer = undefined
    const calls = activity.running()
    const ids = calls.map(({ id }) => id).join()
    // Most calls start and end within one batch.
    if (ids !== sentRunning) live.send({ kind: 'running', calls })
    sentRunning = ids
  }

  const live: LiveEvents = {
    stream(signal) {
      const strategy = { highWaterMark: maxUnread, size: (text: string) => text.length }
      let listener: Listener | undefined
      const stream = new ReadableStream<string>(
        {
          start(controller) {
            const remove = () => {
              signal.removeEventListener('abort', added.end)
              return listeners.delete(added)
            }
            const added: Listener = {
              send(text) {
                controller.enqueue(text)
                if ((controller.desiredSize ?? 0) >= 0) return
                remove()
                // Discards what is queued.
                controller.error(new Error('The client does not read its events.'))
              },
              end() {
                if (remove()) controller.close()
              },
            }
            listener = added
            listeners.add(added)
            signal.addEventListener('abort', added.end)
            const { servers, version } = state()
            // Other listeners may still be waiting for a change: keep what was sent to them.
            if (listeners.size === 1) sent = { servers: JSON.stringify(servers), version }
            added.send(`retry: 2000\n\n${asText({ kind: 'tools', version })}`)
            added.send(asText({ kind: 'servers', servers }))
            added.send(asText({ kind: 'running', calls: activity.running() }))
          },
          cancel() {
            if (listener) listeners.delete(listener)
          },
        },
        strategy,
      )
      return new Response(stream.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      })
    },
    send(event) {
      if (listeners.size > 0) sendAll(asText(event))
    },
    refresh() {
      if (listeners.size > 0) refreshTimer ??= setTimeout(sendState, batchMs).unref()
    },
    close() {
      stop()
      clearInterval(heartbeat)
      clearTimeout(refreshTimer)
      clearTimeout(sessionTimer)
      clearTimeout(runningTimer)
      for (const listener of [...listeners]) listener.end()
    },
  }
  return live
}

function asText(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
