/**
 * Which documents hold a term, and how strongly. Documents are small numbers, called slots.
 *
 * All postings live in two long arrays side by side. A term owns one block of them, as large as
 * the next power of two, its slots in ascending order:
 *
 * ```
 * block of "issue" (room for 4)       block of "send" (room for 2)
 *   slots   [ 3 | 8 | 41 |  . ]         [ 8 | 12 ]
 *   weights [ 3 | 1 | .5 |  . ]         [ 3 |  1 ]
 * ```
 *
 * When a block is full the term moves to one twice as large, and the old block is kept for the
 * next term that needs that size. So adding or removing a document touches its own terms only,
 * a posting costs eight bytes, and a search runs over consecutive memory.
 */
export interface InvertedIndex {
  /** The slot must not be in the index yet. */
  add(slot: number, weights: ReadonlyMap<string, number>): void
  /** `terms` must be those the slot was added with. */
  remove(slot: number, terms: Iterable<string>): void
  has(term: string): boolean
  /** In how many documents a term occurs. */
  frequency(term: string): number
  /** How strongly a document holds a term; 0 if it does not. */
  weight(term: string, slot: number): number
  /**
   * Adds to `scores` for every document with the term: `gain · w / (w + damping[slot])`.
   * Slots whose score was 0 are noted in `touched` from `count` on; returns the new count.
   */
  accumulate(
    term: string,
    gain: number,
    damping: Float32Array,
    scores: Float64Array,
    touched: Uint32Array,
    count: number,
  ): number
}

interface Block {
  start: number
  length: number
  room: number
}

export function createInvertedIndex(): InvertedIndex {
  const blocks = new Map<string, Block>()
  /** Where unused blocks start, by the logarithm of their room. */
  const spare: number[][] = []
  let slots = new Uint32Array(1024)
  let weights = new Float32Array(1024)
  let end = 0

  return {
    add(slot, terms) {
      for (const [term, weight] of terms) {
        let block = blocks.get(term)
        if (block === undefined) {
          block = { start: allocate(1), length: 0, room: 1 }
          blocks.set(term, block)
        }
        insert(block, slot, weight)
      }
    },
    remove(slot, terms) {
      for (const term of terms) {
        const block = blocks.get(term)
        if (block === undefined) continue
        const at = find(block, slot)
        if (slots[at] !== slot || at === block.start + block.length) continue
        slots.copyWithin(at, at + 1, block.start + block.length)
        weights.copyWithin(at, at + 1, block.start + block.length)
        block.length--
        if (block.length === 0) {
          release(block)
          blocks.delete(term)
        }
      }
    },
    has: (term) => blocks.has(term),
    frequency: (term) => blocks.get(term)?.length ?? 0,
    weight(term, slot) {
      const block = blocks.get(term)
      if (block === undefined) return 0
      const at = find(block, slot)
      return at < block.start + block.length && slots[at] === slot ? weights[at]! : 0
    },
    accumulate(term, gain, damping, scores, touched, count) {
      const block = blocks.get(term)
      if (block === undefined) return count
      let noted = count
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) {
        const slot = slots[at]!
        const weight = weights[at]!
        if (scores[slot] === 0) touched[noted++] = slot
        scores[slot]! += (gain * weight) / (weight + damping[slot]!)
      }
      return noted
    },
  }

  function insert(block: Block, slot: number, weight: number): void {
    if (block.length === block.room) grow(block)
    const at = find(block, slot)
    const stop = block.start + block.length
    slots.copyWithin(at + 1, at, stop)
    weights.copyWithin(at + 1, at, stop)
    slots[at] = slot
    weights[at] = weight
    block.length++
  }

  /** The place of the slot in the block, or where it belongs. */
  function find(block: Block, slot: number): number {
    let low = block.start
    let high = block.start + block.length
    // documents mostly arrive in ascending order, so the end is the likeliest place
    if (high > low && slots[high - 1]! < slot) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (slots[middle]! < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  function grow(block: Block): void {
    const { start, length } = block
    const larger = allocate(block.room * 2)
    slots.copyWithin(larger, start, start + length)
    weights.copyWithin(larger, start, start + length)
    release(block)
    block.start = larger
    block.room *= 2
  }

  function allocate(room: number): number {
    const reused = spare[Math.log2(room)]?.pop()
    if (reused !== undefined) return reused
    const start = end
    end += room
    if (end > slots.length) {
      // a quarter to spare: doubling would leave half of a large index empty
      const size = Math.ceil(end * 1.25)
      slots = enlarge(slots, new Uint32Array(size))
      weights = enlarge(weights, new Float32Array(size))
    }
    return start
  }

  function release({ start, room }: Block): void {
    const size = Math.log2(room)
    spare[size] ??= []
    spare[size].push(start)
  }
}

function enlarge<Numbers extends Uint32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
