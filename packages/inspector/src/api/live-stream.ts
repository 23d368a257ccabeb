import { ApiFailure } from './api-failure.ts'
import type { LiveEvent } from './contract.ts'
import { createEventReader } from './read-events.ts'

/**
 * - `waiting`: it was lost, and is tried again after that time
 * - `locked`: a token is needed; nothing is tried until the stream is opened anew
 */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly milliseconds: number }
  | { readonly kind: 'locked' }

export interface LiveStreamOptions {
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  onEvent: (event: LiveEvent) => void
  onConnection: (connection: Connection) => void
  /** Ends early when the signal says so, and never rejects. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /**
   * Who says nothing for so long is gone: a machine that slept is not told of it. The gateway says
   * something every 15 seconds. @default 45_000
   */
  quietMs?: number
}

/** Follows the gateway's events until told to stop; after a loss it comes back by itself. */
export function openLiveStream({
  open,
  onEvent,
  onConnection,
  wait = waitFor,
  quietMs = 45_000,
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
        await readAll(stream, quietMs, (data) => onEvent(JSON.parse(data) as LiveEvent))
      } catch (error) {
        if (error instanceof ApiFailure && error.code === 'token') {
          onConnection({ kind: 'locked' })
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

/** Half a second at first, then twice as long each time, up to half a minute. */
export function backOff(losses: number): number {
  return Math.min(500 * 2 ** losses, 30_000)
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
  quietMs: number,
  give: (data: string) => void,
): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const read = createEventReader(give)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      timer = setTimeout(() => void reader.cancel(), quietMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      read(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
    // what cannot be read is not worth waiting for either
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
