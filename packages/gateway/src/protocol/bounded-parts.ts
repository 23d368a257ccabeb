import { createValueCounter } from './value-counter.ts'

/** The maximum size of a message: nobody is answered while a larger one is parsed. */
export const MAX_MESSAGE_BYTES: number = 16 * 1024 * 1024
const EXCERPT_BYTES = 4096

/** Collects the parts of a message that arrives in pieces. */
export interface BoundedParts<Chunk extends Uint8Array, Part> {
  /** The size of the message so far. */
  readonly bytes: number
  readonly isTooLarge: boolean
  keep(chunk: Chunk): void
  /** Ends the message: its parts, or what is left of one that is too large. The next one starts empty. */
  finish(): { readonly parts: readonly Part[]; readonly excerpt?: Excerpt }
}

/** The beginning, the end and the size of a message that is too large. */
interface Excerpt {
  readonly head: string
  readonly tail: string
  readonly bytes: number
}

/**
 * Once a message exceeds the limit, or has too many values, discards its parts as they arrive, except for the excerpt.
 *
 * @param read what is kept of a chunk
 */
export function createBoundedParts<Chunk extends Uint8Array, Part>(
  maxBytes: number,
  read: (chunk: Chunk) => Part,
): BoundedParts<Chunk, Part> {
  let parts: Part[] = []
  let bytes = 0
  let isTooLarge = false
  // copies, so that the chunks can be freed
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer = Buffer.alloc(0)
  let values = createValueCounter()

  return {
    get bytes() {
      return bytes
    },
    get isTooLarge() {
      return isTooLarge
    },
    keep(chunk) {
      if (bytes < EXCERPT_BYTES) {
        head = Buffer.concat([head, chunk.subarray(0, EXCERPT_BYTES - bytes)])
      }
      bytes += chunk.length
      isTooLarge ||= values.add(chunk) || bytes > maxBytes
      if (!isTooLarge) {
        parts.push(read(chunk))
        return
      }
      parts = []
      tail = Buffer.concat([tail, chunk.subarray(-EXCERPT_BYTES)]).subarray(-EXCERPT_BYTES)
    },
    finish() {
      const excerpt = isTooLarge && { head: head.toString(), tail: tail.toString(), bytes }
      const finished = { parts, ...(excerpt && { excerpt }) }
      parts = []
      bytes = 0
      isTooLarge = false
      head = Buffer.alloc(0)
      tail = Buffer.alloc(0)
      values = createValueCounter()
      return finished
    },
  }
}
