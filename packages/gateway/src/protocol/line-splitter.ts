const NEWLINE = 0x0a
const KEPT_OF_SKIPPED = 4096

export interface LineSplitterOptions {
  readonly onLine: (line: string) => void
  /** A line was longer than `maxBytes`: its first and last bytes and its length. */
  readonly onSkipped: (head: string, tail: string, bytes: number) => void
  readonly maxBytes: number
}

export interface LineSplitter {
  push(chunk: Buffer): void
}

/**
 * Cuts a stream of bytes into lines.
 *
 * Chunks of an unfinished line are kept apart and joined once when its end is seen, so a long line
 * costs its length and not its square. A line that grows past the limit is dropped as it comes.
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
      tail = Buffer.concat([tail, part.subarray(-KEPT_OF_SKIPPED)]).subarray(-KEPT_OF_SKIPPED)
      return
    }
    parts.push(part)
    if (bytes <= maxBytes) return
    // copies, so that the chunks themselves can be freed
    const all = parts.map((each) => each.subarray(0, KEPT_OF_SKIPPED))
    head = Buffer.concat(all).subarray(0, KEPT_OF_SKIPPED)
    tail = Buffer.from(part.subarray(-KEPT_OF_SKIPPED))
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
