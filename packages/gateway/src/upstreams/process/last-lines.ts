const LONGEST = 2_000

export interface LastLines {
  readonly lines: readonly string[]
  push(text: string): void
}

/** Keeps the last lines of a text that comes in pieces, and no more of a line than one would read. */
export function createLastLines(count = 50): LastLines {
  const lines: string[] = []
  let open = ''
  return {
    get lines() {
      return open.trim() === '' ? [...lines] : [...lines, open]
    },
    push(text) {
      const pieces = (open + text).split(/\r?\n/)
      open = pieces.pop()!.slice(0, LONGEST)
      for (const piece of pieces) if (piece.trim() !== '') lines.push(piece.slice(0, LONGEST))
      lines.splice(0, lines.length - count)
    },
  }
}
