import { enlarge } from './enlarge.ts'

/**
 * Which documents contain a term, and with which weight. Terms and documents are small numbers; those
 * of documents are called slots.
 *
 * All postings are in two long parallel arrays. Each term owns a block of them, with its slots in
 * ascending order. The weight of a term that is part of a tool's name is stored as a negative number:
 *
 * ```
 * block of "issue" (capacity 4)       block of "send" (capacity 2)
 *   slots   [  3 | 8 | 41 |  . ]        [  8 | 12 ]
 *   weights [ -3 | 1 | .5 |  . ]        [ -3 |  1 ]
 * ```
 *
 * New postings wait in order of arrival until something reads the index. If they are many, as they are
 * before the first search, all blocks are laid out again, each with exactly the space it needs. If they
 * are few, each is inserted: when a block is full, the term moves to a block whose capacity is the next
 * power of two, and a later term reuses the old block. So a posting takes eight bytes, a search reads
 * consecutive memory, and adding or removing a document touches only its own terms.
 */
export interface InvertedIndex {
  /** The slot must not be in the index yet. `postings` may change afterwards. */
  add(slot: number, postings: Postings): void
  /** `terms` must contain those the slot was added with. Returns the terms that no document has now. */
  remove(slot: number, terms: Postings): readonly number[]
  /** The number of documents that contain a term. */
  frequency(term: number): number
  /** The number of documents that contain a term and whose slot is marked with 1. */
  frequencyAmong(term: number, marked: Uint8Array): number
  /** The weight of a term in a document, negative for a part of its name; 0 if it lacks the term. */
  weight(term: number, slot: number): number
  /**
   * Raises the tally of each document with the term to `gain · w / (w + damping[slot])`, if lower.
   * Adds 1 to the number at its slot in `names` if the term is part of its name.
   */
  tally(
    term: number,
    gain: number,
    damping: Float32Array,
    tally: Tally,
    names: Float64Array | undefined,
  ): void
  /** Like `tally`, but adds to the tally of each document. */
  accumulate(
    term: number,
    gain: number,
    damping: Float32Array,
    tally: Tally,
    names: Float64Array | undefined,
  ): void
}

/** The terms of a document, in any order, and their weights. */
export interface Postings {
  readonly count: number
  readonly terms: ArrayLike<number>
  /** Negative for a part of the tool's name. */
  readonly weights: ArrayLike<number>
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

/** At most this many postings wait, or half as many as the index holds if that is more. */
const MAX_WAITING = 1 << 18
/** The arrays of waiting postings return to this size once they are empty. */
const FEW_WAITING = 256
/** The share of spare room in a new layout, for the blocks that grow next. */
const SPARE_ROOM = 1 / 16

export function createInvertedIndex(): InvertedIndex {
  let slots = new Uint32Array()
  let weights = new Float32Array()
  let end = 0
  /** The number of postings in blocks. */
  let size = 0

  // By term: its block, and how many of its postings wait.
  let starts = new Uint32Array(64)
  let lengths = new Uint32Array(64)
  let capacities = new Uint32Array(64)
  let waiting = new Uint32Array(64)
  /** The starts of unused blocks with a capacity of at least 2 to the power of the index. */
  let spare: number[][] = []

  let waitingTerms = new Uint32Array(FEW_WAITING)
  let waitingSlots = new Uint32Array(FEW_WAITING)
  let waitingWeights = new Float32Array(FEW_WAITING)
  let waitingCount = 0

  return {
    add(slot, { count, terms, weights }) {
      const needed = waitingCount + count
      if (needed > waitingTerms.length) {
        waitingTerms = enlarge(waitingTerms, new Uint32Array(2 * needed))
        waitingSlots = enlarge(waitingSlots, new Uint32Array(2 * needed))
        waitingWeights = enlarge(waitingWeights, new Float32Array(2 * needed))
      }
      for (let at = 0; at < count; at++) {
        const term = terms[at]!
        if (term >= starts.length) reserve(term + 1)
        waiting[term]!++
        waitingTerms[waitingCount] = term
        waitingSlots[waitingCount] = slot
        waitingWeights[waitingCount++] = weights[at]!
      }
      if (waitingCount > Math.max(MAX_WAITING, size / 2)) settle()
    },
    remove(slot, { count, terms }) {
      settle()
      const lost: number[] = []
      for (let i = 0; i < count; i++) {
        const term = terms[i]!
        const at = find(term, slot)
        if (!isAt(term, at, slot)) continue
        const stop = starts[term]! + lengths[term]!
        slots.copyWithin(at, at + 1, stop)
        weights.copyWithin(at, at + 1, stop)
        size--
        if (--lengths[term]! > 0) continue
        release(term)
        lost.push(term)
      }
      return lost
    },
    frequency(term) {
      return term < starts.length && term >= 0 ? lengths[term]! + waiting[term]! : 0
    },
    frequencyAmong(term, marked) {
      settle()
      if (term < 0 || term >= starts.length) return 0
      let count = 0
      const stop = starts[term]! + lengths[term]!
      for (let at = starts[term]!; at < stop; at++) count += marked[slots[at]!]!
      return count
    },
    weight(term, slot) {
      settle()
      if (term < 0 || term >= starts.length) return 0
      const at = find(term, slot)
      return isAt(term, at, slot) ? weights[at]! : 0
    },
    tally(term, gain, damping, tally, names) {
      settle()
      if (term < 0) return
      const { values, slots: listed } = tally
      let { count } = tally
      const stop = starts[term]! + lengths[term]!
      for (let at = starts[term]!; at < stop; at++) {
        const slot = slots[at]!
        let weight = weights[at]!
        if (weight < 0) {
          weight = -weight
          if (names) names[slot]!++
        }
        const value = (gain * weight) / (weight + damping[slot]!)
        const before = values[slot]!
        if (value <= before) continue
        if (before === 0) listed[count++] = slot
        values[slot] = value
      }
      tally.count = count
    },
    accumulate(term, gain, damping, tally, names) {
      settle()
      if (term < 0) return
      const { values, slots: listed } = tally
      let { count } = tally
      const stop = starts[term]! + lengths[term]!
      for (let at = starts[term]!; at < stop; at++) {
        const slot = slots[at]!
        let weight = weights[at]!
        if (weight < 0) {
          weight = -weight
          if (names) names[slot]!++
        }
        const before = values[slot]!
        if (before === 0) listed[count++] = slot
        values[slot] = before + (gain * weight) / (weight + damping[slot]!)
      }
      tally.count = count
    },
  }

  /** Puts the waiting postings into their blocks. */
  function settle(): void {
    if (waitingCount === 0) return
    if (waitingCount > size / 2) layOut()
    for (let at = 0; at < waitingCount; at++) {
      const term = waitingTerms[at]!
      waiting[term] = 0
      insert(term, waitingSlots[at]!, waitingWeights[at]!)
    }
    size += waitingCount
    waitingCount = 0
    if (waitingTerms.length <= FEW_WAITING) return
    waitingTerms = new Uint32Array(FEW_WAITING)
    waitingSlots = new Uint32Array(FEW_WAITING)
    waitingWeights = new Float32Array(FEW_WAITING)
  }

  /** Moves every block to new arrays, with room for its waiting postings. */
  function layOut(): void {
    const room = Math.ceil((size + waitingCount) * (1 + SPARE_ROOM))
    const newSlots = new Uint32Array(room)
    const newWeights = new Float32Array(room)
    end = 0
    for (let term = 0; term < starts.length; term++) {
      const start = starts[term]!
      const length = lengths[term]!
      if (length > 0) {
        newSlots.set(slots.subarray(start, start + length), end)
        newWeights.set(weights.subarray(start, start + length), end)
      }
      starts[term] = end
      capacities[term] = length + waiting[term]!
      end += length + waiting[term]!
    }
    slots = newSlots
    weights = newWeights
    spare = []
  }

  function isAt(term: number, at: number, slot: number): boolean {
    return at < starts[term]! + lengths[term]! && slots[at] === slot
  }

  function insert(term: number, slot: number, weight: number): void {
    if (lengths[term] === capacities[term]) grow(term)
    const at = find(term, slot)
    const stop = starts[term]! + lengths[term]!
    if (at < stop) {
      slots.copyWithin(at + 1, at, stop)
      weights.copyWithin(at + 1, at, stop)
    }
    slots[at] = slot
    weights[at] = weight
    lengths[term]!++
  }

  /** The position of the slot in the block of the term, or where to insert it. */
  function find(term: number, slot: number): number {
    let low = starts[term]!
    let high = low + lengths[term]!
    // Documents mostly arrive in ascending order, so try the end first.
    if (high > low && slots[high - 1]! < slot) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (slots[middle]! < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  function grow(term: number): void {
    const start = starts[term]!
    const length = lengths[term]!
    const power = powerBelow(capacities[term]!) + 1
    const larger = allocate(power)
    slots.copyWithin(larger, start, start + length)
    weights.copyWithin(larger, start, start + length)
    release(term)
    starts[term] = larger
    capacities[term] = 2 ** power
  }

  function allocate(power: number): number {
    const reused = spare[power]?.pop()
    if (reused !== undefined) return reused
    const start = end
    end += 2 ** power
    if (end > slots.length) {
      // Grow by a quarter: doubling would leave up to half of a large index unused.
      const room = Math.ceil(end * 1.25)
      slots = enlarge(slots, new Uint32Array(room))
      weights = enlarge(weights, new Float32Array(room))
    }
    return start
  }

  function release(term: number): void {
    const capacity = capacities[term]!
    capacities[term] = 0
    if (capacity === 0) return
    const power = powerBelow(capacity)
    spare[power] ??= []
    spare[power].push(starts[term]!)
  }

  function reserve(needed: number): void {
    const room = Math.max(needed, Math.ceil(starts.length * 1.5))
    starts = enlarge(starts, new Uint32Array(room))
    lengths = enlarge(lengths, new Uint32Array(room))
    capacities = enlarge(capacities, new Uint32Array(room))
    waiting = enlarge(waiting, new Uint32Array(room))
  }
}

/** The exponent of the largest power of two up to a capacity; -1 for a capacity of 0. */
function powerBelow(capacity: number): number {
  return 31 - Math.clz32(capacity)
}
