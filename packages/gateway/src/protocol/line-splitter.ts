import { StringDecoder } from 'node:string_decoder'
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
 * Decodes the chunks of a line as they arrive and joins them only once, at its end, so that a long line takes
 * linear time and keeps nobody waiting. Once a line exceeds the limit, discards its chunks as they arrive.
 */
export function createLineSplitter({
  onLine,
  onSkipped,
  maxBytes,
}: LineSplitterOptions): LineSplitter {
  const decoder = new StringDecoder()
  const line = createBoundedParts(maxBytes, (chunk: Buffer) => decoder.write(chunk))

  function finish(): void {
    const { parts, excerpt } = line.finish()
    const end = decoder.end()
    if (excerpt) onSkipped(excerpt.head, excerpt.tail, excerpt.bytes)
    else onLine(parts.join('') + end)
  }

  return {
    push(chunk) {
      let start = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, start)
        if (end === -1) break
        if (line.bytes === 0 && end === start) {
          // Blank lines say nothing, however many there are.
        } else if (line.bytes === 0 && end - start <= maxBytes) {
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
