const LF = 0x0a
const CR = 0x0d
const EXCERPT_BYTES = 4096

export interface EventLimitOptions {
  readonly maxBytes: number
  /** Called at the end of an event that is too large, with its beginning, its end and its size. */
  readonly onSkipped: (head: string, tail: string, bytes: number) => void
  /** Called as soon as an event exceeds the limit. Returns true to end the stream there. */
  readonly onExceeded?: (bytes: number) => boolean
}

/**
 * Passes server-sent events on one by one, and drops those that are too large. Keeps no more than one
 * event in memory: a parser behind it would collect an endless event until the process dies.
 */
export function eventLimit({
  maxBytes,
  onSkipped,
  onExceeded = () => false,
}: EventLimitOptions): TransformStream<Uint8Array, Uint8Array> {
  let parts: Uint8Array[] = []
  let bytes = 0
  let head: Buffer | undefined
  let tail: Buffer = Buffer.alloc(0)
  let lineLength = 0
  let isAfterCr = false

  function keep(part: Uint8Array): void {
    bytes += part.length
    if (head) {
      tail = Buffer.concat([tail, part.subarray(-EXCERPT_BYTES)]).subarray(-EXCERPT_BYTES)
      return
    }
    parts.push(part)
    if (bytes <= maxBytes) return
    head = Buffer.concat(parts.map((each) => each.subarray(0, EXCERPT_BYTES)))
    head = Buffer.from(head.subarray(0, EXCERPT_BYTES))
    tail = Buffer.from(part.subarray(-EXCERPT_BYTES))
    parts = []
  }

  function finish(controller: TransformStreamDefaultController<Uint8Array>): void {
    if (head) onSkipped(head.toString(), tail.toString(), bytes)
    else for (const part of parts) controller.enqueue(part)
    parts = []
    bytes = 0
    head = undefined
  }

  return new TransformStream({
    transform(chunk, controller) {
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
          if (bytes === 0 && start === at) {
            controller.enqueue(chunk.subarray(at, at + 1))
            start = at + 1
          }
          continue
        }
        const isBlank = lineLength === 0
        lineLength = 0
        if (!isBlank) continue
        keep(chunk.subarray(start, at + 1))
        finish(controller)
        start = at + 1
      }
      const wasWithin = head === undefined
      if (start < chunk.length) keep(chunk.subarray(start))
      if (wasWithin && head && onExceeded(bytes)) controller.terminate()
    },
    flush: finish,
  })
}
