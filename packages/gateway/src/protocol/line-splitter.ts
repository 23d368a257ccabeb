import { createBoundedParts } from './bounded-parts.ts'

const NEWLINE = 0x0a

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
  const line = createBoundedParts<Buffer>(maxBytes)

  function finish(): void {
    const { bytes } = line
    const { parts, excerpt } = line.finish()
    if (excerpt) onSkipped(excerpt.head, excerpt.tail, excerpt.bytes)
    else onLine((parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)).toString())
  }

  return {
    push(chunk) {
      let start = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, start)
        if (end === -1) break
        if (line.bytes === 0 && end - start <= maxBytes) {
          onLine(chunk.toString('utf8', start, end))
        } else {
          line.keep(chunk.subarray(start, end))
          finish()
        }
        start = end + 1
      }
      if (start < chunk.length) line.keep(chunk.subarray(start))
    },
  }
}
