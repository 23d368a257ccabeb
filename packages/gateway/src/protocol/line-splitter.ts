const NEWLINE = 0x0a
const EXCERPT_BYTES = 4096

export interface LineSplitterOptions {
  readonly onLine: (line: string) => void
  /** Called for a line longer than `maxBytes`, with its beginning, its end and its length. */
  readonly onSkipped: (head: string, tail: string, bytes: number) => void
  readonly maxBytes: number
}

export interface LineSplitter {
  push(chunk: Buffer): void
}

/**
 * Splits a stream of bytes into lines.
 *
 * Joins the chunks of a line only once, at its end, so a long line takes linear time. Once a line
 * exceeds the limit, discards its chunks as they arrive.
 */
export function createLineSplitter({
  onLine,
  onSkipped,
  maxBytes,
}: LineSplitterOptions): LineSplitter {
  let parts: Buffer[] = []
  let bytes = 0
  let head: Buffer | undefined
  let tail: Buffer = Buffer.alloc(0)

  function keep(part: Buffer): void {
    bytes += part.length
    if (head) {
      tail = Buffer.concat([tail, part.subarray(-EXCERPT_BYTES)]).subarray(-EXCERPT_BYTES)
      return
    }
    parts.push(part)
    if (bytes <= maxBytes) return
    // copies, so that the chunks can be freed
    const all = parts.map((each) => each.subarray(0, EXCERPT_BYTES))
    head = Buffer.concat(all).subarray(0, EXCERPT_BYTES)
    tail = Buffer.from(part.subarray(-EXCERPT_BYTES))
    parts = []
  }

  function finish(): void {
    if (head) onSkipped(head.toString(), tail.toString(), bytes)
    else onLine((parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)).toString())
    parts = []
    bytes = 0
    head = undefined
  }

  return {
    push(chunk) {
      let start = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, start)
        if (end === -1) break
        if (bytes === 0 && end - start <= maxBytes) {
          onLine(chunk.toString('utf8', start, end))
        } else {
          keep(chunk.subarray(start, end))
          finish()
        }
        start = end + 1
      }
      if (start < chunk.length) keep(chunk.subarray(start))
    },
  }
}
