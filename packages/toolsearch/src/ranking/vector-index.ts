/** Vectors by slot, kept as one byte a number, and the search for the nearest. */
export interface VectorIndex {
  set(slot: number, vector: Float32Array): void
  delete(slot: number): void
  /** The cosine of one slot's vector with a query of unit length; 0 for a slot without one. */
  cosine(slot: number, query: Float32Array): number
  /**
   * About `most` slots that are nearest to the query, in no order, of those that are accepted. They
   * are chosen by the first numbers of the vectors alone: ask for more than you need.
   */
  nearest(query: Float32Array, most: number, accepts: (slot: number) => boolean): number[]
}

// tables made by PCA, as ours is, put what tells texts apart into the first numbers
const HEAD = 32
const BUCKETS = 512

export function createVectorIndex(dimensions: number): VectorIndex {
  const head = Math.min(HEAD, dimensions)
  const tail = dimensions - head
  // apart, so that the search for the nearest runs over consecutive memory
  let heads = new Int8Array(head * 64)
  let tails = new Int8Array(tail * 64)
  let scales = new Float32Array(64)
  let scores = new Float32Array(64)
  let size = 0

  return {
    set(slot, vector) {
      if (slot >= scales.length) makeRoom(slot + 1)
      size = Math.max(size, slot + 1)
      let largest = 0
      for (const value of vector) largest = Math.max(largest, Math.abs(value))
      scales[slot] = largest / 127
      const byte = (at: number) => (largest === 0 ? 0 : Math.round((vector[at]! / largest) * 127))
      for (let i = 0; i < head; i++) heads[slot * head + i] = byte(i)
      for (let i = 0; i < tail; i++) tails[slot * tail + i] = byte(head + i)
    },
    delete(slot) {
      if (slot < size) scales[slot] = 0
    },
    cosine(slot, query) {
      if (slot >= size) return 0
      const first = dot(heads, slot * head, query, 0, head)
      return scales[slot]! * (first + dot(tails, slot * tail, query, head, tail))
    },
    nearest(query, most, accepts) {
      const counts = new Uint32Array(BUCKETS)
      for (let slot = 0; slot < size; slot++) {
        const scale = scales[slot]!
        const score = scale === 0 ? 0 : scale * dot(heads, slot * head, query, 0, head)
        scores[slot] = score
        if (score > 0) counts[bucketOf(score)]!++
      }
      // where many are refused, those further away get their turn
      for (let wanted = most; ; wanted *= 8) {
        const bar = barFor(counts, wanted)
        const found: number[] = []
        for (let slot = 0; slot < size; slot++) {
          const score = scores[slot]!
          if (score > 0 && bucketOf(score) >= bar && accepts(slot)) found.push(slot)
        }
        if (found.length >= most / 4 || bar === 0) return found
      }
    },
  }

  function makeRoom(needed: number): void {
    const room = Math.ceil(needed * 1.5)
    heads = copied(heads, new Int8Array(room * head))
    tails = copied(tails, new Int8Array(room * tail))
    scales = copied(scales, new Float32Array(room))
    scores = new Float32Array(room)
  }
}

function bucketOf(score: number): number {
  return Math.min(BUCKETS - 1, (score * BUCKETS) | 0)
}

/** The lowest bucket such that it and those above hold as many as wanted. */
function barFor(counts: Uint32Array, wanted: number): number {
  let total = 0
  for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
    total += counts[bucket]!
    if (total >= wanted) return bucket
  }
  return 0
}

// four sums side by side: the processor need not wait for one to be ready before the next
function dot(
  rows: Int8Array,
  start: number,
  query: Float32Array,
  from: number,
  length: number,
): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i + 3 < length; i += 4) {
    a += rows[start + i]! * query[from + i]!
    b += rows[start + i + 1]! * query[from + i + 1]!
    c += rows[start + i + 2]! * query[from + i + 2]!
    d += rows[start + i + 3]! * query[from + i + 3]!
  }
  for (; i < length; i++) a += rows[start + i]! * query[from + i]!
  return a + b + c + d
}

function copied<Numbers extends Int8Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
