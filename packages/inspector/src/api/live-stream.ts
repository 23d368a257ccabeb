import { createParser } from 'eventsource-parser'
import { type ApiFailure, isLocking } from './api-failure.ts'
import type { LiveEvent } from './contract.ts'

/**
 * - `waiting`: the connection was lost; the next attempt follows after that time
 * - `locked`: the gateway does not know who asks; there are no further attempts until the stream is
 *   opened again
 */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly milliseconds: number }
  | { readonly kind: 'locked'; readonly reason: ApiFailure }

export interface LiveStreamOptions {
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  onEvent: (event: LiveEvent) => void
  onConnection: (connection: Connection) => void
  /** Must resolve early when the signal is aborted, and never reject. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /**
   * After this time without data the connection counts as lost: a computer that slept gets no error.
   * The gateway sends a heartbeat every 15 seconds. @default 45_000
   */
  silenceMs?: number
}

/** Reads the gateway's events until it is stopped, and reconnects when the connection is lost. */
export function openLiveStream({
  open,
  onEvent,
  onConnection,
  wait = waitFor,
  silenceMs = 45_000,
}: LiveStreamOptions): () => void {
  const stop = new AbortController()
  const { signal } = stop
  void follow()
  return () => stop.abort()

  async function follow(): Promise<void> {
    let losses = 0
    onConnection({ kind: 'connecting' })
    while (!signal.aborted) {
      try {
        const stream = await open(signal)
        losses = 0
        onConnection({ kind: 'open' })
        await readAll(stream, silenceMs, (data) => onEvent(JSON.parse(data) as LiveEvent))
      } catch (error) {
        if (isLocking(error)) {
          onConnection({ kind: 'locked', reason: error })
          return
        }
      }
      if (signal.aborted) return
      const milliseconds = backOff(losses++)
      onConnection({ kind: 'waiting', milliseconds })
      await wait(milliseconds, signal)
    }
  }
}

/** How long to wait before the next attempt: half a second, doubled each time, up to 30 seconds. */
function backOff(losses: number): number {
  return Math.min(500 * 2 ** losses, 30_000)
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
  onData: (data: string) => void,
): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => onData(data) })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      timer = setTimeout(() => void reader.cancel(), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
    // After an unreadable event, give up the connection too.
    reader.cancel().catch(() => {})
  }
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
