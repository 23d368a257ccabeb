import type { Tool } from '../catalogue/tool.ts'
import { createVocabulary, type Vocabulary, type WritableVocabulary } from '../words/vocabulary.ts'
import { enlarge } from './enlarge.ts'
import type { IndexReader, IndexScheme } from './index-scheme.ts'
import { createInvertedIndex, type InvertedIndex, type Postings } from './inverted-index.ts'
import { createNameKeys } from './name-keys.ts'
import type { IndexTerms } from './term-scope.ts'
import { createTermTable } from './term-table.ts'
import { createToolSlots, marksOf, type ToolSlots } from './tool-slots.ts'
import { countVisibleTerms } from './visible-terms.ts'

/** What an index ranker keeps of its tools. */
export interface IndexStore {
  readonly index: InvertedIndex
  readonly reader: IndexReader
  readonly slots: ToolSlots
  readonly terms: IndexTerms
  set(tool: Tool): void
  delete(name: string): void
  /** The same statistics for those tools alone. Counted once, until a tool changes. */
  termsAmong(isVisible: (tool: Tool) => boolean): IndexTerms
  /** The number of a term; -1 for a term that no tool has ever contained. */
  numberOf(term: string): number
  /** How many terms the name of a tool has, at least 1. */
  nameSize(slot: number): number
  /** The slots of the tools with this name, normalised: the full one, or the one without its server. */
  named(rank: number, key: readonly string[]): readonly number[]
  /** By slot, how much BM25 dampens a score, if tools have this length on average. */
  dampingAt(averageLength: number): Float32Array
}

/** The full name of a tool, and the name without its server prefix. */
const NAMES = 2
/** The numbers of terms that no tool contains any more are reused once there are this many. */
const MANY_LOST_TERMS = 1000

export function createIndexStore({ k1, b, createReader }: IndexScheme): IndexStore {
  const table = createTermTable()
  const index = createInvertedIndex()
  const reader = createReader(table)
  const slots = createToolSlots()
  const { tools } = slots
  const keyed = Array.from({ length: NAMES }, createNameKeys)
  const lostTerms = new Set<number>()
  /** Created by the first query with an unknown word. */
  let guesser: WritableVocabulary | undefined
  let totalLength = 0
  let lengths = new Float32Array(64)
  let nameSizes = new Uint32Array(64)
  let damping = new Float32Array(64).fill(k1)
  /** The average length that `damping` was computed for; 0 if lengths have changed since. */
  let dampedFor = 0
  /** Dropped whenever a tool changes. */
  let visible = new WeakMap<(tool: Tool) => boolean, IndexTerms>()

  const vocabulary: Vocabulary = {
    has: (term) => index.frequency(table.find(term)) > 0,
    startingWith: (prefix) => guess().startingWith(prefix),
    resembling: (word) => guess().resembling(word),
  }

  return {
    index,
    reader,
    slots,
    terms: {
      vocabulary,
      tools: slots.count,
      length: () => totalLength,
      frequency: (term) => index.frequency(table.find(term)),
      frequencyOf: index.frequency,
      among: termsAmong,
    },
    set(tool) {
      visible = new WeakMap()
      const replaced = slots.of(tool.name)
      if (replaced !== undefined) unindex(replaced)
      const slot = slots.set(tool)
      if (slot >= lengths.length) grow(slot + 1)
      const { postings, length, nameSize, keys } = reader.readTool(tool)
      if (guesser) addNewTerms(postings)
      index.add(slot, postings)
      nameSizes[slot] = Math.max(nameSize, 1)
      for (let rank = 0; rank < keys.length; rank++) keyed[rank]!.add(keys[rank]!, slot)
      lengths[slot] = length
      totalLength += length
      dampedFor = 0
    },
    delete(name) {
      const slot = slots.of(name)
      if (slot === undefined) return
      visible = new WeakMap()
      unindex(slot)
      slots.delete(name)
    },
    termsAmong,
    numberOf: table.find,
    nameSize: (slot) => nameSizes[slot]!,
    named: (rank, key) => keyed[rank]!.find(key, (slot) => reader.keysOf(tools[slot]!)[rank]),
    // The average length changes with every tool. Computing the damping on the next search
    // instead of on each change keeps adding many tools fast.
    dampingAt(averageLength) {
      if (b === 0 || averageLength === dampedFor) return damping
      for (let slot = 0; slot < tools.length; slot++) {
        damping[slot] = k1 * (1 - b + (b * lengths[slot]!) / averageLength)
      }
      dampedFor = averageLength
      return damping
    },
  }

  function termsAmong(isVisible: (tool: Tool) => boolean): IndexTerms {
    const known = visible.get(isVisible)
    if (known) return known
    const lengthOf = (slot: number) => lengths[slot]!
    const counted = countVisibleTerms(marksOf(tools, isVisible), {
      index,
      terms: table,
      lengthOf,
      allTerms: guess,
    })
    visible.set(isVisible, counted)
    return counted
  }

  function unindex(slot: number): void {
    const { postings, keys } = reader.readTool(tools[slot]!)
    const lost = index.remove(slot, postings)
    for (let rank = 0; rank < keys.length; rank++) keyed[rank]!.delete(keys[rank]!, slot)
    totalLength -= lengths[slot]!
    lengths[slot] = 0
    dampedFor = 0
    for (const term of lost) {
      lostTerms.add(term)
      guesser?.delete(table.termOf(term))
    }
    if (lostTerms.size > Math.max(MANY_LOST_TERMS, table.size() / 2)) freeLostTerms()
  }

  function freeLostTerms(): void {
    reader.forgetTerms()
    for (const term of lostTerms) if (index.frequency(term) === 0) table.free(term)
    lostTerms.clear()
  }

  function guess(): WritableVocabulary {
    if (guesser) return guesser
    guesser = createVocabulary()
    for (let term = 0; term < table.size(); term++) {
      if (index.frequency(term) > 0) guesser.add(table.termOf(term))
    }
    return guesser
  }

  function addNewTerms(postings: Postings): void {
    for (let at = 0; at < postings.count; at++) {
      const term = postings.terms[at]!
      if (index.frequency(term) === 0) guesser!.add(table.termOf(term))
    }
  }

  function grow(needed: number): void {
    const size = Math.ceil(needed * 1.5)
    lengths = enlarge(lengths, new Float32Array(size))
    nameSizes = enlarge(nameSizes, new Uint32Array(size))
    damping = new Float32Array(size).fill(k1)
    dampedFor = 0
  }
}
