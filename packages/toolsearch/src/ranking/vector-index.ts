/** Vectors by slot, kept as one byte a number, and the exact search for the nearest. */
export interface VectorIndex {
  set(slot: number, vector: Float32Array): void
  delete(slot: number): void
  /** The cosine of one slot's vector with a query of unit length; 0 for a slot without one. */
  cosine(slot: number, query: Float32Array): number
  /** Writes the cosine of every slot into `cosines`. */
  cosines(query: Float32Array, cosines: Float32Array): void
}

export function createVectorIndex(dimensions: number): VectorIndex {
  let rows = new Int8Array(dimensions * 64)
  let scales = new Float32Array(64)
  let size = 0

  return {
    set(slot, vector) {
      if (slot >= scales.length) makeRoom(slot + 1)
      size = Math.max(size, slot + 1)
      let largest = 0
      for (const value of vector) largest = Math.max(largest, Math.abs(value))
      scales[slot] = largest / 127
      const start = slot * dimensions
      for (let i = 0; i < dimensions; i++) {
        rows[start + i] = largest === 0 ? 0 : Math.round((vector[i]! / largest) * 127)
      }
    },
    delete(slot) {
      if (slot < size) scales[slot] = 0
    },
    cosine: (slot, query) => (slot < size ? dot(slot, query) : 0),
    cosines(query, cosines) {
      cosines.fill(0)
      for (let slot = 0; slot < size; slot++) cosines[slot] = dot(slot, query)
    },
  }

  // four sums side by side: the processor need not wait for one to be ready before the next
  function dot(slot: number, query: Float32Array): number {
    const scale = scales[slot]!
    if (scale === 0) return 0
    const start = slot * dimensions
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    let i = 0
    for (; i + 3 < dimensions; i += 4) {
      a += rows[start + i]! * query[i]!
      b += rows[start + i + 1]! * query[i + 1]!
      c += rows[start + i + 2]! * query[i + 2]!
      d += rows[start + i + 3]! * query[i + 3]!
    }
    for (; i < dimensions; i++) a += rows[start + i]! * query[i]!
    return scale * (a + b + c + d)
  }

  function makeRoom(needed: number): void {
    const room = Math.ceil(needed * 1.5)
    const moreRows = new Int8Array(room * dimensions)
    moreRows.set(rows)
    rows = moreRows
    const moreScales = new Float32Array(room)
    moreScales.set(scales)
    scales = moreScales
  }
}
