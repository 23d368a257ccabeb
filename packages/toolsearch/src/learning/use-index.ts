import { rarityOf } from '../ranking/rarity-of.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { createVectorIndex, type VectorIndex } from '../semantics/vector-index.ts'
import { lengthOf, scaledTo } from '../semantics/vector-math.ts'
import { type Evidence, judgeEvidence, type Recalled } from './judge-evidence.ts'
import type { Use } from './use.ts'
import { useTerms } from './use-words.ts'

/** Remembered uses, and which tools similar requests used. */
export interface UseIndex {
  readonly size: number
  uses(): Iterable<Use>
  get(id: string): Use | undefined
  set(use: Use): void
  delete(id: string): void
  /** The tools that requests similar to this one used. */
  recall(words: string, options: RecallOptions): ReadonlyMap<string, Recalled>
}

export interface RecallOptions {
  /**
   * Whether the caller may know a tool of this name. Uses of others are ignored everywhere. Must be the
   * same function until other tools are visible.
   */
  readonly isVisible: (tool: string) => boolean
  /** How much a use counts, from 0 to 1. */
  readonly weigh: (use: Use) => number
  /** Who searches. Empty if unknown. */
  readonly person: string
  /** Compares requests by meaning, too. */
  readonly vectors?: TextVectors | undefined
}

/** Requests that are less similar have nothing to do with each other. */
const MIN_SIMILARITY = 0.1
/** Next to a very similar request, others hardly count. Leaving them out saves time. */
const MIN_SHARE = 0.35
/** How similar a request must be to count in explanations. */
const SIMILAR = 0.2
/** A use whose tool the search did not return counts for less: the next search may have had another aim. */
const NOT_FOUND = 0.85

interface Entry {
  readonly use: Use
  readonly slot: number
  readonly terms: ReadonlySet<string>
}

export function createUseIndex(): UseIndex {
  const entries: (Entry | undefined)[] = []
  const byId = new Map<string, Entry>()
  const free: number[] = []
  const slotsByTerm = new Map<string, number[]>()
  const toolCounts = new Map<string, number>()
  let statistics = new WeakMap<RecallOptions['isVisible'], Statistics>()
  const vectorsOf = new WeakMap<TextVectors, UseVectors>()
  /** Increases whenever a slot gets or loses a use. */
  let version = 0

  return {
    get size() {
      return byId.size
    },
    *uses() {
      for (const { use } of byId.values()) yield use
    },
    get: (id) => byId.get(id)?.use,
    set(use) {
      const known = byId.get(use.id)
      if (known) {
        const entry = { ...known, use }
        entries[entry.slot] = entry
        byId.set(use.id, entry)
        return
      }
      changed()
      const slot = free.pop() ?? entries.length
      const entry = { use, slot, terms: useTerms(use.words) }
      entries[slot] = entry
      byId.set(use.id, entry)
      for (const term of entry.terms) {
        const slots = slotsByTerm.get(term)
        if (slots) slots.push(slot)
        else slotsByTerm.set(term, [slot])
      }
      toolCounts.set(use.tool, (toolCounts.get(use.tool) ?? 0) + 1)
    },
    delete(id) {
      const entry = byId.get(id)
      if (entry === undefined) return
      changed()
      const { slot, terms, use } = entry
      byId.delete(id)
      entries[slot] = undefined
      free.push(slot)
      for (const term of terms) {
        const slots = slotsByTerm.get(term)!.filter((other) => other !== slot)
        if (slots.length > 0) slotsByTerm.set(term, slots)
        else slotsByTerm.delete(term)
      }
      const left = toolCounts.get(use.tool)! - 1
      if (left > 0) toolCounts.set(use.tool, left)
      else toolCounts.delete(use.tool)
    },
    recall,
  }

  function changed(): void {
    statistics = new WeakMap()
    version++
  }

  function recall(words: string, options: RecallOptions): ReadonlyMap<string, Recalled> {
    const { weigh, person } = options
    const similarities = compare(words, options)
    const least = Math.max(MIN_SIMILARITY, MIN_SHARE * largestOf(similarities))
    const byTool = new Map<string, Evidence>()
    for (let slot = 0; slot < similarities.length; slot++) {
      if (similarities[slot]! <= least) continue
      const { use } = entries[slot]!
      const weight = weigh(use) * (use.found ? 1 : NOT_FOUND)
      if (weight <= 0) continue
      const similarity = (similarities[slot]! - MIN_SIMILARITY) / (1 - MIN_SIMILARITY)
      // Requests for the same thing often share few words, so the first ones count most.
      const strength = weight * Math.sqrt(similarity)
      let evidence = byTool.get(use.tool)
      if (evidence === undefined) {
        evidence = { people: new Map(), requests: 0, newest: 0 }
        byTool.set(use.tool, evidence)
      }
      // What a person repeats counts once.
      if (strength > (evidence.people.get(use.person) ?? 0)) {
        evidence.people.set(use.person, strength)
      }
      if (similarity >= SIMILAR) evidence.requests++
      evidence.newest = Math.max(evidence.newest, use.at)
    }
    return judgeEvidence(byTool, person)
  }

  /** By slot: how similar the words of a use are to these, from 0 to 1. 0 if the tool is not visible. */
  function compare(words: string, { isVisible, vectors }: RecallOptions): Float32Array {
    const counts = statisticsFor(isVisible)
    const similarities = new Float32Array(entries.length)
    let length = 0
    for (const term of useTerms(words)) {
      const worth = counts.worth(term) ** 2
      length += worth
      addTo(similarities, slotsByTerm.get(term) ?? [], worth)
    }
    const root = Math.sqrt(length)
    for (let slot = 0; slot < similarities.length; slot++) {
      if (similarities[slot] !== 0) similarities[slot]! /= root * counts.lengthOf(entries[slot]!)
    }
    const { visible } = counts
    const vector = vectors && unitVector(vectors, words)
    if (vector === undefined) return keepOnly(visible, similarities)
    const meanings = vectorIndex(vectors!, vector.length).similarity(vector)
    for (let slot = 0; slot < meanings.length; slot++) {
      // A use that the embedder does not understand is compared by words alone.
      if (meanings[slot]! > 0) similarities[slot] = (similarities[slot]! + meanings[slot]!) / 2
    }
    return keepOnly(visible, similarities)
  }

  /** Computed from the words, so that a memory survives a change of the embedder. */
  function vectorIndex(vectors: TextVectors, dimensions: number): VectorIndex {
    const known = vectorsOf.get(vectors) ?? {
      index: createVectorIndex(dimensions),
      words: [],
      version: -1,
    }
    vectorsOf.set(vectors, known)
    if (known.version === version) return known.index
    for (let slot = 0; slot < entries.length; slot++) {
      const words = entries[slot]?.use.words
      if (words === known.words[slot]) continue
      const vector = words === undefined ? undefined : unitVector(vectors, words)
      if (vector) known.index.set(slot, vector)
      else known.index.delete(slot)
      known.words[slot] = words
    }
    known.version = version
    return known.index
  }

  /** How much terms count, as if only uses of visible tools existed. */
  function statisticsFor(isVisible: RecallOptions['isVisible']): Statistics {
    const known = statistics.get(isVisible)
    if (known) return known
    const tools = new Set([...toolCounts.keys()].filter((tool) => isVisible(tool)))
    const visible = Uint8Array.from(entries, (entry) =>
      entry && tools.has(entry.use.tool) ? 1 : 0,
    )
    const worths = new Map<string, number>()
    const lengths = new Float64Array(entries.length)
    const worth = (term: string) => {
      const found = worths.get(term)
      if (found !== undefined) return found
      const using = new Set<string>()
      for (const slot of slotsByTerm.get(term) ?? []) {
        const { tool } = entries[slot]!.use
        if (tools.has(tool)) using.add(tool)
      }
      const value = rarityOf(using.size, tools.size)
      worths.set(term, value)
      return value
    }
    const lengthOf = ({ slot, terms }: Entry) => {
      lengths[slot] ||= Math.sqrt([...terms].reduce((sum, term) => sum + worth(term) ** 2, 0))
      return lengths[slot]!
    }
    const created = { visible, worth, lengthOf }
    statistics.set(isVisible, created)
    return created
  }
}

/** The vectors of uses, by slot. */
interface UseVectors {
  readonly index: VectorIndex
  /** What they were computed from. */
  readonly words: (string | undefined)[]
  version: number
}

interface Statistics {
  /** By slot: 1 if the caller may see the tool of the use, otherwise 0. */
  readonly visible: Uint8Array
  /** The weight of a term: a term of few tools says more. */
  worth(term: string): number
  lengthOf(entry: Entry): number
}

// A loop over many slots is a function of its own: V8 does not optimise it inside a long function.
function addTo(sums: Float32Array, slots: readonly number[], value: number): void {
  for (let at = 0; at < slots.length; at++) sums[slots[at]!]! += value
}

function keepOnly(kept: Uint8Array, values: Float32Array): Float32Array {
  for (let at = 0; at < values.length; at++) if (kept[at] === 0) values[at] = 0
  return values
}

function largestOf(values: Float32Array): number {
  let largest = 0
  for (let at = 0; at < values.length; at++) if (values[at]! > largest) largest = values[at]!
  return largest
}

function unitVector(vectors: TextVectors, text: string): Float32Array | undefined {
  const vector = vectors.embed(text, 'query')
  return vector && lengthOf(vector) > 0 ? scaledTo(1, vector) : undefined
}
