import {
  createRowComparer,
  GROUP_ROWS,
  PAGE_BYTES,
  plainRowComparer,
  type RowComparer,
} from './row-comparer.ts'

/** Vectors by slot, stored with one byte per number, and their similarity to a query. */
export interface VectorIndex {
  set(slot: number, vector: Float32Array): void
  delete(slot: number): void
  /** A slot's vector as it is stored, rounded. Zeros if the slot has none. */
  get(slot: number): Float32Array
  /**
   * By slot, the dot product of vector and query: the cosine, if both have length one. Negative
   * values and slots without a vector become 0. Writes into `buffer` if that has the right length,
   * and into a new array otherwise.
   */
  similarity(query: Float32Array, buffer?: Float32Array): Float32Array
}

const MAX_BYTE = 127
const MAX_SUM = 2 ** 31 - 1
const SLOTS_AT_ONCE = 256 * GROUP_ROWS
/**
 * A WebAssembly memory reserves gigabytes of address space, so a process can have only a few hundred.
 * The many small indexes of conversations with tools of their own do without.
 */
const MAX_PLAIN_SLOTS = 256

export function createVectorIndex(dimensions: number, comparer?: RowComparer): VectorIndex {
  let { memory, compare } = comparer ?? plainRowComparer()
  let maxSlots = comparer ? Number.POSITIVE_INFINITY : MAX_PLAIN_SLOTS
  const width = Math.ceil(dimensions / 4) * 4
  const groupBytes = GROUP_ROWS * (4 + width)
  const queryEnd = 2 * width
  const results = Math.ceil(queryEnd / 64) * 64
  const groups = results + 4 * SLOTS_AT_ONCE
  // The query is quantised as finely as possible without overflowing the 32-bit sum.
  const querySteps = Math.min(2 ** 15 - 1, Math.floor(MAX_SUM / MAX_BYTE / width))
  let bytes = new Int8Array(memory.buffer)
  let scales = new Float32Array(memory.buffer)
  let size = 0

  return {
    set(slot, vector) {
      ensureSize(slot + 1)
      const largest = largestOf(vector)
      scales[groupOf(slot) / 4 + (slot % GROUP_ROWS)] = largest / MAX_BYTE
      const start = startOf(slot)
      for (let i = 0; i < dimensions; i++) {
        bytes[start + offsetOf(i)] = Math.round((vector[i]! / largest) * MAX_BYTE)
      }
    },
    delete(slot) {
      ensureSize(slot + 1)
      scales[groupOf(slot) / 4 + (slot % GROUP_ROWS)] = 0
    },
    get(slot) {
      const out = new Float32Array(dimensions)
      const scale = scales[groupOf(slot) / 4 + (slot % GROUP_ROWS)]!
      const start = startOf(slot)
      // Twice as fast as with offsetOf.
      for (let i = 0, at = start; i < dimensions; i += 2, at += 2 * GROUP_ROWS) {
        out[i] = bytes[at]! * scale
        if (i + 1 < dimensions) out[i + 1] = bytes[at + 1]! * scale
      }
      return out
    },
    similarity(query, buffer) {
      const similarity = buffer?.length === size ? buffer : new Float32Array(size)
      const largest = largestOf(query)
      if (size === 0 || largest === 0) return similarity.fill(0)
      const quantised = new Int16Array(memory.buffer, 0, width)
      for (let i = 0; i < dimensions; i++) {
        quantised[i] = Math.round((query[i]! / largest) * querySteps)
      }
      for (let from = 0; from < size; from += SLOTS_AT_ONCE) {
        const count = Math.min(size - from, SLOTS_AT_ONCE)
        const end = groupOf(from + count - 1) + groupBytes
        compare(groupOf(from), end, results, queryEnd, largest / querySteps)
        similarity.set(new Float32Array(memory.buffer, results, count), from)
      }
      return similarity
    },
  }

  function groupOf(slot: number): number {
    return groups + Math.floor(slot / GROUP_ROWS) * groupBytes
  }

  function startOf(slot: number): number {
    return groupOf(slot) + 4 * GROUP_ROWS + 2 * (slot % GROUP_ROWS)
  }

  function ensureSize(needed: number): void {
    size = Math.max(size, needed)
    const end = groupOf(size - 1) + groupBytes
    if (size > maxSlots) useWebAssembly()
    if (end <= bytes.length) return
    memory.grow(Math.ceil((end * 1.25 - bytes.length) / PAGE_BYTES))
    bytes = new Int8Array(memory.buffer)
    scales = new Float32Array(memory.buffer)
  }

  function useWebAssembly(): void {
    const earlier = bytes
    ;({ memory, compare } = createRowComparer())
    maxSlots = Number.POSITIVE_INFINITY
    const missing = earlier.length - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
    bytes = new Int8Array(memory.buffer)
    scales = new Float32Array(memory.buffer)
    bytes.set(earlier)
  }
}

/** Two numbers of each row take turns. */
function offsetOf(i: number): number {
  return (i >> 1) * 2 * GROUP_ROWS + (i & 1)
}

function largestOf(vector: Float32Array): number {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return largest
}
