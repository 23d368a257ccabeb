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
  /** Raises the tally of every document with the term to `gain · w / (w + damping[slot])`. */
  tally(term: string, gain: number, damping: Float32Array, tally: Tally): void
  /** As `tally`, but adds to what is there. */
  accumulate(term: string, gain: number, damping: Float32Array, tally: Tally): void
  /** Adds its weight of the term to the number of every document with it. */
  sum(term: string, numbers: Float64Array): void
}

/** A number for each slot, and which of them are not 0. Emptied by whoever reads it. */
export interface Tally {
  readonly values: Float64Array
  readonly slots: Uint32Array
  count: number
}

export function createTally(size: number): Tally {
  return { values: new Float64Array(size), slots: new Uint32Array(size), count: 0 }
}

export interface InvertedIndexOptions {
  /** Called for a term that no document had before, and when the last one with it is gone. */
  onNewTerm?: (term: string) => void
  onLostTerm?: (term: string) => void
}

interface Block {
  start: number
  length: number
  room: number
}

export function createInvertedIndex({
  onNewTerm,
  onLostTerm,
}: InvertedIndexOptions = {}): InvertedIndex {
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
          onNewTerm?.(term)
        }
        insert(block, slot, weight)
      }
    },
    remove(slot, terms) {
      for (const term of terms) {
        const block = blocks.get(term)
        const at = block && find(block, slot)
        if (at === undefined || !isAt(block!, at, slot)) continue
        const stop = block!.start + block!.length
        slots.copyWithin(at, at + 1, stop)
        weights.copyWithin(at, at + 1, stop)
        block!.length--
        if (block!.length === 0) {
          release(block!)
          blocks.delete(term)
          onLostTerm?.(term)
        }
      }
    },
    has: (term) => blocks.has(term),
    frequency: (term) => blocks.get(term)?.length ?? 0,
    weight(term, slot) {
      const block = blocks.get(term)
      if (block === undefined) return 0
      const at = find(block, slot)
      return isAt(block, at, slot) ? weights[at]! : 0
    },
    tally(term, gain, damping, tally) {
      const block = blocks.get(term)
      if (block === undefined) return
      const { values, slots: noted } = tally
      let { count } = tally
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) {
        const slot = slots[at]!
        const weight = weights[at]!
        const value = (gain * weight) / (weight + damping[slot]!)
        const before = values[slot]!
        if (value <= before) continue
        if (before === 0) noted[count++] = slot
        values[slot] = value
      }
      tally.count = count
    },
    accumulate(term, gain, damping, tally) {
      const block = blocks.get(term)
      if (block === undefined) return
      const { values, slots: noted } = tally
      let { count } = tally
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) {
        const slot = slots[at]!
        const weight = weights[at]!
        const before = values[slot]!
        if (before === 0) noted[count++] = slot
        values[slot] = before + (gain * weight) / (weight + damping[slot]!)
      }
      tally.count = count
    },
    sum(term, numbers) {
      const block = blocks.get(term)
      if (block === undefined) return
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) numbers[slots[at]!]! += weights[at]!
    },
  }

  function isAt(block: Block, at: number, slot: number): boolean {
    return at < block.start + block.length && slots[at] === slot
  }

  function insert(block: Block, slot: number, weight: number): void {
    if (block.length === block.room) grow(block)
    const at = find(block, slot)
    const stop = block.start + block.length
    if (at < stop) {
      slots.copyWithin(at + 1, at, stop)
      weights.copyWithin(at + 1, at, stop)
    }
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
