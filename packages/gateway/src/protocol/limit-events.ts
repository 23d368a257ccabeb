import { setImmediate, setTimeout } from 'node:timers/promises'
import { createPace } from '../system/pace.ts'
import { createBoundedParts } from './bounded-parts.ts'

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
/** Readers ignore lines with other fields, at a high price. */
const FIELDS = new Set(['data', 'event', 'id', 'retry'])
const MAX_FIELD = 5
/** Each event costs its reader much more than its bytes do. */
const EVENTS_PER_SECOND = 2_000
const EVENTS_AT_ONCE = 50

export interface LimitEventsOptions {
  readonly maxBytes: number
  /** Called at the end of an event that is too large, with its beginning, its end and its size. */
  readonly onSkipped: (head: string, tail: string, bytes: number) => void
  /** Called as soon as an event exceeds the limit. Returns true to end the stream there. */
  readonly onExceeded?: (bytes: number) => boolean
}

type Bytes = Uint8Array<ArrayBuffer>
type Body = ReadableStream<Bytes>

/**
 * A stream of server-sent events without those that are too large, and without what readers ignore. Keeps no more
 * than one event in memory: a parser behind it would collect an endless event until the process dies. A flood of
 * events arrives at a pace that leaves time for others. Every line ends with a line feed.
 */
export function limitEvents(
  body: Body,
  { maxBytes, onSkipped, onExceeded = () => false }: LimitEventsOptions,
): Body {
  const reader = body.getReader()
  const pace = createPace(EVENTS_PER_SECOND)
  const event = createBoundedParts(maxBytes, (chunk: Bytes) => chunk)
  /** Complete events, several together. */
  const batches: Bytes[][] = []
  let inBatch = EVENTS_AT_ONCE
  let events = 0
  let isDone = false
  // The line that the last chunk ended in.
  let field = ''
  let isKept: boolean | undefined
  let isBlank = true
  let isAfterCr = false
  let unsure: Bytes = new Uint8Array()

  function finish(): void {
    const { parts, excerpt } = event.finish()
    if (excerpt) onSkipped(excerpt.head, excerpt.tail, excerpt.bytes)
    if (parts.length === 0) return
    events++
    if (inBatch++ >= EVENTS_AT_ONCE) {
      batches.push([])
      inBatch = 1
    }
    batches.at(-1)!.push(...parts)
  }

  /** Returns true if the stream ends here. */
  function receive(chunk: Bytes): boolean {
    const out = new Uint8Array(unsure.length + chunk.length + 1)
    out.set(unsure)
    let end = unsure.length
    let from = 0
    let lineStart = 0
    const keep = () => {
      if (end > from) event.keep(out.subarray(from, end))
      from = end
    }
    for (const byte of chunk) {
      const isSecondHalf = byte === LF && isAfterCr
      isAfterCr = byte === CR
      if (isSecondHalf) continue
      if (byte !== LF && byte !== CR) {
        isBlank = false
        if (isKept === undefined) {
          if (byte === COLON) isKept = FIELDS.has(field)
          else if (field.length === MAX_FIELD) isKept = false
          else field += String.fromCharCode(byte)
          if (isKept === false) end = lineStart
        }
        if (isKept !== false) out[end++] = byte
        continue
      }
      if (isBlank && (event.bytes > 0 || end > from)) {
        out[end++] = LF
        keep()
        finish()
      } else if (isKept ?? FIELDS.has(field)) out[end++] = LF
      else end = lineStart
      lineStart = end
      field = ''
      isKept = undefined
      isBlank = true
    }
    unsure = isKept === undefined ? out.slice(lineStart, end) : new Uint8Array()
    end -= unsure.length
    const wasTooLarge = event.isTooLarge
    keep()
    return !wasTooLarge && event.isTooLarge && onExceeded(event.bytes)
  }

  return new ReadableStream(
    {
      async pull(controller) {
        if (batches.length > 0) await setImmediate()
        else if (events > 0) {
          const wait = pace.take(events)
          events = 0
          if (wait > 0) await setTimeout(wait, undefined, { ref: false })
        }
        while (!isDone && batches.length === 0) {
          const { done, value } = await reader.read()
          isDone = done || receive(value)
          if (!done) continue
          if (unsure.length > 0) event.keep(unsure)
          finish()
        }
        for (const part of batches.shift() ?? []) controller.enqueue(part)
        if (batches.length === 0) inBatch = EVENTS_AT_ONCE
        if (!isDone || batches.length > 0) return
        controller.close()
        await reader.cancel().catch(() => {})
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
