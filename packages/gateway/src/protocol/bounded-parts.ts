import { createValueCounter } from './value-counter.ts'

const EXCERPT_BYTES = 4096

/** Collects the parts of a message that arrives in pieces. */
export interface BoundedParts<Part extends Uint8Array> {
  /** The size of the message so far. */
  readonly bytes: number
  readonly isTooLarge: boolean
  keep(part: Part): void
  /** Ends the message: its parts, or what is left of one that is too large. The next one starts empty. */
  finish(): { readonly parts: readonly Part[]; readonly excerpt?: Excerpt }
}

/** The beginning, the end and the size of a message that is too large. */
interface Excerpt {
  readonly head: string
  readonly tail: string
  readonly bytes: number
}

/** Once a message exceeds the limit, or has too many values, discards its parts as they arrive, except for the excerpt. */
export function createBoundedParts<Part extends Uint8Array>(maxBytes: number): BoundedParts<Part> {
  let parts: Part[] = []
  let bytes = 0
  let head: Buffer | undefined
  let tail: Buffer = Buffer.alloc(0)
  let values = createValueCounter()

  return {
    get bytes() {
      return bytes
    },
    get isTooLarge() {
      return head !== undefined
    },
    keep(part) {
      bytes += part.length
      if (head) {
        tail = Buffer.concat([tail, part.subarray(-EXCERPT_BYTES)]).subarray(-EXCERPT_BYTES)
        return
      }
      parts.push(part)
      if (!values.add(part) && bytes <= maxBytes) return
      // copies, so that the parts can be freed
      const all = parts.map((each) => each.subarray(0, EXCERPT_BYTES))
      head = Buffer.from(Buffer.concat(all).subarray(0, EXCERPT_BYTES))
      tail = Buffer.from(part.subarray(-EXCERPT_BYTES))
      parts = []
    },
    finish() {
      const excerpt = head && { head: head.toString(), tail: tail.toString(), bytes }
      const finished = { parts, ...(excerpt && { excerpt }) }
      parts = []
      bytes = 0
      values = createValueCounter()
      head = undefined
      return finished
    },
  }
}
