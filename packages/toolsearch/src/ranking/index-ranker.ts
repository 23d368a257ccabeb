import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { createInvertedIndex } from './inverted-index.ts'
import type { Ranker, ScorePart } from './ranker.ts'
import { createTopHits } from './top-hits.ts'

/** What a BM25 ranker indexes of a tool and how it reads a query. */
export interface IndexScheme {
  readonly name: string
  /** How soon more of the same word stops counting. */
  readonly k1: number
  /** How much a text longer than the others is marked down, 0 to 1. */
  readonly b: number
  /** The weight an average tool needs for a word that is all one could ask. Sets the ideal score. */
  readonly idealWeight: number
  /** Every term of a tool with its weight, and the length to mark it down by. */
  read(tool: Tool): { readonly weights: ReadonlyMap<string, number>; readonly length: number }
  /** The terms to look up, each once. `isKnown` tells whether any tool has a term. */
  terms(query: WordsQuery, isKnown: (term: string) => boolean): readonly string[]
  /** Keys by which a query can be a tool's very name; a hit is worth the ideal score on top. */
  nameKeys(tool: Tool): readonly string[]
  queryKey(query: WordsQuery): string
  /** How a term's weight on a tool divides over fields; the shares add up to one. */
  shares(tool: Tool, term: string): readonly Pick<ScorePart, 'field' | 'weight'>[]
}

/** BM25 over an inverted index that is kept up to date one tool at a time. */
export function createIndexRanker(scheme: IndexScheme): Ranker {
  const index = createInvertedIndex()
  const slotOf = new Map<string, number>()
  const slotsOfKey = new Map<string, Set<number>>()
  const freeSlots: number[] = []
  const tools: (Tool | undefined)[] = []
  const places: number[] = []
  let nextPlace = 0
  let totalLength = 0
  let lengths = new Float32Array(64)
  let damping = new Float32Array(64)
  let dampingIsFresh = false
  let scores = new Float64Array(64)
  let touched = new Uint32Array(64)

  return {
    name: scheme.name,
    set(tool) {
      const place = slotOf.has(tool.name) ? places[slotOf.get(tool.name)!]! : nextPlace++
      remove(tool.name)
      const slot = freeSlots.pop() ?? tools.length
      if (slot >= lengths.length) makeRoom(slot + 1)
      slotOf.set(tool.name, slot)
      tools[slot] = tool
      places[slot] = place
      const { weights, length } = scheme.read(tool)
      index.add(slot, weights)
      for (const key of scheme.nameKeys(tool)) {
        const slots = slotsOfKey.get(key)
        if (slots) slots.add(slot)
        else slotsOfKey.set(key, new Set([slot]))
      }
      lengths[slot] = length
      totalLength += length
      dampingIsFresh = false
    },
    delete: remove,
    rank(query, options) {
      refreshDamping()
      const terms = scheme.terms(query, index.has)
      const ideal = idealScore(terms)
      let count = 0
      for (const term of terms) {
        count = index.accumulate(term, rarity(term), damping, scores, touched, count)
      }
      for (const slot of slotsOfKey.get(scheme.queryKey(query)) ?? []) {
        if (scores[slot] === 0) touched[count++] = slot
        scores[slot]! += ideal
      }
      const top = createTopHits(options)
      for (let i = 0; i < count; i++) {
        const slot = touched[i]!
        top.offer(tools[slot]!, scores[slot]!, places[slot]!)
        scores[slot] = 0
      }
      return { hits: top.hits(), wordWorth: ideal / Math.max(terms.length, 1) }
    },
    explain(query, name) {
      const slot = slotOf.get(name)
      if (slot === undefined) return []
      refreshDamping()
      const tool = tools[slot]!
      const terms = scheme.terms(query, index.has)
      const parts = terms.flatMap((term) => {
        const weight = index.weight(term, slot)
        if (weight === 0) return []
        const score = (rarity(term) * weight) / (weight + damping[slot]!)
        return scheme.shares(tool, term).map(
          (share): ScorePart => ({
            term,
            field: share.field,
            match: 'word',
            weight: score * share.weight,
          }),
        )
      })
      if (slotsOfKey.get(scheme.queryKey(query))?.has(slot)) {
        parts.push({ term: query.name, field: 'name', match: 'exact', weight: idealScore(terms) })
      }
      return parts
    },
  }

  function remove(name: string): void {
    const slot = slotOf.get(name)
    if (slot === undefined) return
    const tool = tools[slot]!
    index.remove(slot, scheme.read(tool).weights.keys())
    for (const key of scheme.nameKeys(tool)) {
      const slots = slotsOfKey.get(key)
      slots?.delete(slot)
      if (slots?.size === 0) slotsOfKey.delete(key)
    }
    totalLength -= lengths[slot]!
    lengths[slot] = 0
    tools[slot] = undefined
    slotOf.delete(name)
    freeSlots.push(slot)
    dampingIsFresh = false
  }

  /** How telling a term is: one that half of the tools have says little. */
  function rarity(term: string): number {
    const frequency = index.frequency(term)
    return Math.log(1 + (slotOf.size - frequency + 0.5) / (frequency + 0.5))
  }

  function idealScore(terms: readonly string[]): number {
    const saturation = scheme.idealWeight / (scheme.idealWeight + scheme.k1)
    return terms.reduce((sum, term) => sum + rarity(term) * saturation, 0)
  }

  // lengths are judged by the average, which moves with every change; search pays for it once
  function refreshDamping(): void {
    if (dampingIsFresh) return
    const average = totalLength / Math.max(slotOf.size, 1) || 1
    const { k1, b } = scheme
    for (let slot = 0; slot < tools.length; slot++) {
      damping[slot] = k1 * (1 - b + (b * lengths[slot]!) / average)
    }
    dampingIsFresh = true
  }

  function makeRoom(needed: number): void {
    const size = Math.ceil(Math.max(needed, 64) * 1.5)
    const longer = new Float32Array(size)
    longer.set(lengths)
    lengths = longer
    damping = new Float32Array(size)
    dampingIsFresh = false
    scores = new Float64Array(size)
    touched = new Uint32Array(size)
  }
}
