import { createBoundedParts } from './bounded-parts.ts'

const LF = 0x0a
const CR = 0x0d

export interface LimitEventsOptions {
  readonly maxBytes: number
  /** Called at the end of an event that is too large, with its beginning, its end and its size. */
  readonly onSkipped: (head: string, tail: string, bytes: number) => void
  /** Called as soon as an event exceeds the limit. Returns true to end the stream there. */
  readonly onExceeded?: (bytes: number) => boolean
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * A stream of server-sent events without those that are too large. Keeps no more than one event in
 * memory: a parser behind it would collect an endless event until the process dies.
 */
export function limitEvents(
  body: Body,
  { maxBytes, onSkipped, onExceeded = () => false }: LimitEventsOptions,
): Body {
  const reader = body.getReader()
  const passed: Uint8Array<ArrayBuffer>[] = []
  const event = createBoundedParts(maxBytes, (chunk: Uint8Array<ArrayBuffer>) => chunk)
  let lineLength = 0
  let isAfterCr = false

  function finish(): void {
    const { parts, excerpt } = event.finish()
    if (excerpt) onSkipped(excerpt.head, excerpt.tail, excerpt.bytes)
    else passed.push(...parts)
  }

  /** Returns true if the stream ends here. */
  function receive(chunk: Uint8Array<ArrayBuffer>): boolean {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte !== LF && byte !== CR) {
        lineLength++
        isAfterCr = false
        continue
      }
      const isSecondHalf = byte === LF && isAfterCr
      isAfterCr = byte === CR
      if (isSecondHalf) {
        // the rest of a blank line: parsers wait for it before they deliver the event
        if (event.bytes === 0 && start === at) {
          passed.push(chunk.subarray(at, at + 1))
          start = at + 1
        }
        continue
      }
      const isBlank = lineLength === 0
      lineLength = 0
      if (!isBlank) continue
      event.keep(chunk.subarray(start, at + 1))
      finish()
      start = at + 1
    }
    const wasTooLarge = event.isTooLarge
    if (start < chunk.length) event.keep(chunk.subarray(start))
    return !wasTooLarge && event.isTooLarge && onExceeded(event.bytes)
  }

  return new ReadableStream(
    {
      async pull(controller) {
        let isDone = false
        while (!isDone && passed.length === 0) {
          const { done, value } = await reader.read()
          isDone = done || receive(value)
          if (done) finish()
        }
        for (const part of passed.splice(0)) controller.enqueue(part)
        if (!isDone) return
        controller.close()
        await reader.cancel().catch(() => {})
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
