/**
 * Which documents contain a term, and with which weight. Documents are small numbers, called slots.
 *
 * All postings are in two long parallel arrays. Each term owns a block of them whose capacity is a
 * power of two, with its slots in ascending order:
 *
 * ```
 * block of "issue" (capacity 4)       block of "send" (capacity 2)
 *   slots   [ 3 | 8 | 41 |  . ]         [ 8 | 12 ]
 *   weights [ 3 | 1 | .5 |  . ]         [ 3 |  1 ]
 * ```
 *
 * When a block is full, the term moves to a block of twice the capacity, and the next term that
 * needs the old capacity reuses the old block. So adding or removing a document touches only its own
 * terms, a posting takes eight bytes, and a search reads consecutive memory.
 */
export interface InvertedIndex {
  /** The slot must not be in the index yet. */
  add(slot: number, weights: ReadonlyMap<string, number>): void
  /** `terms` must be those the slot was added with. */
  remove(slot: number, terms: Iterable<string>): void
  has(term: string): boolean
  /** The number of documents that contain a term. */
  frequency(term: string): number
  /** The weight of a term in a document; 0 if it does not contain the term. */
  weight(term: string, slot: number): number
  /** Raises the tally of each document with the term to `gain · w / (w + damping[slot])`, if lower. */
  tally(term: string, gain: number, damping: Float32Array, tally: Tally): void
  /** Adds `gain · w / (w + damping[slot])` to the tally of each document with the term. */
  accumulate(term: string, gain: number, damping: Float32Array, tally: Tally): void
  /** Adds the weight of the term in each document to the number at the document's slot. */
  sum(term: string, numbers: Float64Array): void
}

/** A value for each slot, and a list of the slots whose value is not 0. The reader resets it. */
export interface Tally {
  readonly values: Float64Array
  readonly slots: Uint32Array
  count: number
}

export function createTally(size: number): Tally {
  return { values: new Float64Array(size), slots: new Uint32Array(size), count: 0 }
}

export interface InvertedIndexOptions {
  /** Called when the first document with a term is added, and when the last one is removed. */
  onNewTerm?: (term: string) => void
  onLostTerm?: (term: string) => void
}

interface Block {
  start: number
  length: number
  capacity: number
}

export function createInvertedIndex({
  onNewTerm,
  onLostTerm,
}: InvertedIndexOptions = {}): InvertedIndex {
  const blocks = new Map<string, Block>()
  /** The starts of unused blocks, by the logarithm of their capacity. */
  const spare: number[][] = []
  let slots = new Uint32Array(1024)
  let weights = new Float32Array(1024)
  let end = 0

  return {
    add(slot, terms) {
      for (const [term, weight] of terms) {
        let block = blocks.get(term)
        if (block === undefined) {
          block = { start: allocate(1), length: 0, capacity: 1 }
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
      const { values, slots: listed } = tally
      let { count } = tally
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) {
        const slot = slots[at]!
        const weight = weights[at]!
        const value = (gain * weight) / (weight + damping[slot]!)
        const before = values[slot]!
        if (value <= before) continue
        if (before === 0) listed[count++] = slot
        values[slot] = value
      }
      tally.count = count
    },
    accumulate(term, gain, damping, tally) {
      const block = blocks.get(term)
      if (block === undefined) return
      const { values, slots: listed } = tally
      let { count } = tally
      const stop = block.start + block.length
      for (let at = block.start; at < stop; at++) {
        const slot = slots[at]!
        const weight = weights[at]!
        const before = values[slot]!
        if (before === 0) listed[count++] = slot
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
    if (block.length === block.capacity) grow(block)
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

  /** The position of the slot in the block, or where to insert it. */
  function find(block: Block, slot: number): number {
    let low = block.start
    let high = block.start + block.length
    // Documents mostly arrive in ascending order, so try the end first.
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
    const larger = allocate(block.capacity * 2)
    slots.copyWithin(larger, start, start + length)
    weights.copyWithin(larger, start, start + length)
    release(block)
    block.start = larger
    block.capacity *= 2
  }

  function allocate(capacity: number): number {
    const reused = spare[Math.log2(capacity)]?.pop()
    if (reused !== undefined) return reused
    const start = end
    end += capacity
    if (end > slots.length) {
      // Grow by a quarter: doubling would leave up to half of a large index unused.
      const size = Math.ceil(end * 1.25)
      slots = enlarge(slots, new Uint32Array(size))
      weights = enlarge(weights, new Float32Array(size))
    }
    return start
  }

  function release({ start, capacity }: Block): void {
    const size = Math.log2(capacity)
    spare[size] ??= []
    spare[size].push(start)
  }
}

function enlarge<Numbers extends Uint32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
