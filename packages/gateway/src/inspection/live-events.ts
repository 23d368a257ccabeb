import type { Activity } from './activity/activity.ts'
import type { LiveEvent, ServerReport } from './api.ts'

/** Tells pages what happens, as long as they listen. */
export interface LiveEvents {
  /** A stream of server-sent events, which ends with the request. */
  stream(signal: AbortSignal): Response
  tell(event: LiveEvent): void
  /** Something about tools or servers may be another. */
  look(): void
  close(): void
}

export interface LiveEventsOptions {
  readonly activity: Pick<Activity, 'subscribe' | 'session'>
  /** What there is to tell of servers and tools now. Asked only while somebody listens. */
  readonly state: () => { readonly servers: readonly ServerReport[]; readonly version: number }
  /** So often something is sent, so that nobody takes the connection for dead. @default 15_000 */
  readonly heartbeatMs?: number
  /** What comes within so long is told at once. @default 100 */
  readonly gatherMs?: number
  /** Who leaves so many characters unread is sent away, and will come again. @default 1_000_000 */
  readonly maxUnread?: number
}

interface Reader {
  send(text: string): void
  end(): void
}

export function createLiveEvents({
  activity,
  state,
  heartbeatMs = 15_000,
  gatherMs = 100,
  maxUnread = 1_000_000,
}: LiveEventsOptions): LiveEvents {
  const readers = new Set<Reader>()
  let told = { servers: '', version: -1 }
  let soon: NodeJS.Timeout | undefined
  /** Ids of those to be told of: a report is long, and each call makes another. */
  const sessions = new Set<string>()
  let sessionsSoon: NodeJS.Timeout | undefined
  const stop = activity.subscribe((news) => {
    if (readers.size === 0) return
    if (news.kind === 'activity') live.tell(news)
    else {
      sessions.add(news.id)
      sessionsSoon ??= setTimeout(tellSessions, gatherMs).unref()
    }
  })
  const heart = setInterval(() => sendAll(':\n\n'), heartbeatMs).unref()

  function sendAll(text: string): void {
    for (const reader of [...readers]) reader.send(text)
  }

  function tellState(): void {
    soon = undefined
    if (readers.size === 0) return
    const { servers, version } = state()
    const text = JSON.stringify(servers)
    if (version !== told.version) live.tell({ kind: 'tools', version })
    if (text !== told.servers) live.tell({ kind: 'servers', servers })
    told = { servers: text, version }
  }

  function tellSessions(): void {
    sessionsSoon = undefined
    for (const id of sessions) {
      const session = activity.session(id)
      if (session) live.tell({ kind: 'session', session })
    }
    sessions.clear()
  }

  const live: LiveEvents = {
    stream(signal) {
      const strategy = { highWaterMark: maxUnread, size: (text: string) => text.length }
      let reader: Reader | undefined
      const stream = new ReadableStream<string>(
        {
          start(controller) {
            const forget = () => {
              signal.removeEventListener('abort', one.end)
              return readers.delete(one)
            }
            const one: Reader = {
              send(text) {
                controller.enqueue(text)
                if ((controller.desiredSize ?? 0) >= 0) return
                forget()
                // what waits is dropped with it
                controller.error(new Error('Nobody reads this.'))
              },
              end() {
                if (forget()) controller.close()
              },
            }
            reader = one
            readers.add(one)
            signal.addEventListener('abort', one.end)
            const { servers, version } = state()
            // others may still have to be told
            if (readers.size === 1) told = { servers: JSON.stringify(servers), version }
            one.send(`retry: 2000\n\n${asText({ kind: 'tools', version })}`)
            one.send(asText({ kind: 'servers', servers }))
          },
          cancel() {
            if (reader) readers.delete(reader)
          },
        },
        strategy,
      )
      return new Response(stream.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      })
    },
    tell(event) {
      if (readers.size > 0) sendAll(asText(event))
    },
    look() {
      if (readers.size > 0) soon ??= setTimeout(tellState, gatherMs).unref()
    },
    close() {
      stop()
      clearInterval(heart)
      clearTimeout(soon)
      clearTimeout(sessionsSoon)
      for (const reader of [...readers]) reader.end()
    },
  }
  return live
}

function asText(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
