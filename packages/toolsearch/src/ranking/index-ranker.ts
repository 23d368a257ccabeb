import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { createInvertedIndex, createTally } from './inverted-index.ts'
import type { Field, Ranker, Ranking, ScorePart } from './ranker.ts'
import { createToolSlots } from './tool-slots.ts'
import { createTopHits } from './top-hits.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

/** What a BM25 ranker indexes of a tool and how it reads a query. */
export interface IndexScheme {
  readonly name: string
  /** How soon more of the same word stops counting. */
  readonly k1: number
  /** How much a text longer than the others is marked down, 0 to 1. */
  readonly b: number
  /** The weight of a word that is all one could ask of a tool. */
  readonly idealWeight: number
  /** A best score below this share of what one word is worth is a coincidence; 0 for never. */
  readonly doubt: number
  /** How much a tool gains when the query has all the words of its name; 0 for nothing. */
  readonly nameCoverage: number
  read(tool: Tool): IndexedTool
  words(query: WordsQuery, vocabulary: Vocabulary): readonly QueryWord[]
  /** By what text a query is a tool's very name. */
  queryKey(query: WordsQuery): string
}

/** What the index keeps of a tool, and what explains its score. */
export interface IndexedTool {
  readonly weights: ReadonlyMap<string, number>
  /** The length to mark it down by. */
  readonly length: number
  /** The terms of its name, for coverage. */
  readonly nameTerms: ReadonlySet<string>
  /** Its names as queries; the earlier one counts more. */
  readonly keys: readonly string[]
  /** How the weight of a term divides over fields; the shares add up to one. */
  shares(term: string): readonly { readonly field: Field; readonly share: number }[]
}

/** One word of a query and the terms that would serve for it. The best one on a tool counts. */
export interface QueryWord {
  readonly word: string
  readonly alternatives: readonly Alternative[]
}

export interface Alternative {
  readonly term: string
  /** What it is worth beside the word itself, 0 to 1. */
  readonly weight: number
  readonly match: ScorePart['match']
}

// the tool whose whole name was given comes before one whose server gives it that name
const KEY_BONUS = [1, 0.9]

/** BM25 over an inverted index that is kept up to date one tool at a time. */
export function createIndexRanker(scheme: IndexScheme): Ranker {
  const vocabulary = createVocabulary()
  const index = createInvertedIndex({ onNewTerm: vocabulary.add, onLostTerm: vocabulary.delete })
  const nameIndex = createInvertedIndex()
  const slots = createToolSlots()
  const { tools, places } = slots
  /** For each name as a query, which tools it names and what that is worth to them. */
  const keyed = KEY_BONUS.map(() => new Map<string, number | readonly number[]>())
  let totalLength = 0
  let lengths = new Float32Array(64)
  let damping = new Float32Array(64)
  let dampingIsFresh = false
  let ofWord = createTally(64)
  let ofQuery = createTally(64)
  /** How many terms a tool's name has, and how many of them the query at hand has. */
  const nameSizes: number[] = []
  let nameHits = new Float64Array(64)

  return {
    name: scheme.name,
    set(tool) {
      const known = slots.of(tool.name)
      if (known !== undefined) empty(known)
      const slot = slots.set(tool)
      if (slot >= lengths.length) makeRoom(slot + 1)
      const { weights, length, nameTerms, keys } = scheme.read(tool)
      index.add(slot, weights)
      nameIndex.add(slot, new Map([...nameTerms].map((term) => [term, 1])))
      nameSizes[slot] = Math.max(nameTerms.size, 1)
      for (const [rank, key] of keys.entries()) {
        setNamed(rank, key, [...named(rank, key), slot])
      }
      lengths[slot] = length
      totalLength += length
      dampingIsFresh = false
    },
    delete(name) {
      const slot = slots.of(name)
      if (slot === undefined) return
      empty(slot)
      slots.delete(name)
    },
    rank(query, options) {
      const bounds = addUp(query)
      const top = createTopHits(options)
      while (ofQuery.count > 0) {
        const slot = ofQuery.slots[--ofQuery.count]!
        top.offer(tools[slot]!, takeScore(slot), places[slot]!)
      }
      return { hits: top.hits(), ...bounds }
    },
    scores(query, give) {
      const bounds = addUp(query)
      while (ofQuery.count > 0) {
        const slot = ofQuery.slots[--ofQuery.count]!
        give(slot, takeScore(slot))
      }
      return bounds
    },
    explain(query, name) {
      const slot = slots.of(name)
      if (slot === undefined) return []
      refreshDamping()
      const words = scheme.words(query, vocabulary)
      const { nameTerms, shares } = scheme.read(tools[slot]!)
      const parts = words.flatMap((word) => explainWord(word, slot, shares))
      const key = scheme.queryKey(query)
      const bonus = KEY_BONUS.find((_, rank) => named(rank, key).includes(slot))
      if (bonus !== undefined) {
        const weight = bonus * idealScore(words)
        parts.push({ term: query.name, field: 'name', match: 'exact', weight })
      }
      const score = parts.reduce((sum, { weight }) => sum + weight, 0)
      const weight = score * scheme.nameCoverage * covered(words, nameTerms)
      if (weight > 0) parts.push({ term: name, field: 'name', match: 'coverage', weight })
      return parts
    },
  }

  /** Fills the tally of the query. */
  function addUp(query: WordsQuery): Omit<Ranking, 'hits'> {
    refreshDamping()
    const words = scheme.words(query, vocabulary)
    for (const word of words) addWord(word)
    const ideal = idealScore(words)
    const key = scheme.queryKey(query)
    for (const [rank, bonus] of KEY_BONUS.entries()) {
      for (const slot of named(rank, key)) add(slot, bonus * ideal)
    }
    return { ideal, doubtBelow: (scheme.doubt * ideal) / Math.max(words.length, 1) }
  }

  /** The score of a slot, which is then nothing again for the next query. */
  function takeScore(slot: number): number {
    const score = ofQuery.values[slot]!
    const coverage = nameHits[slot]! / nameSizes[slot]!
    ofQuery.values[slot] = 0
    nameHits[slot] = 0
    return score * (1 + scheme.nameCoverage * coverage)
  }

  function named(rank: number, key: string): readonly number[] {
    const slots = keyed[rank]!.get(key) ?? []
    return typeof slots === 'number' ? [slots] : slots
  }

  // nearly every name belongs to one tool, and a number takes no memory of its own
  function setNamed(rank: number, key: string, slots: readonly number[]): void {
    if (slots.length === 0) keyed[rank]!.delete(key)
    else keyed[rank]!.set(key, slots.length === 1 ? slots[0]! : slots)
  }

  /** The best alternative for a word counts, and only a word itself covers a part of a name. */
  function addWord({ word, alternatives }: QueryWord): void {
    const only = alternatives.length === 1 ? alternatives[0] : undefined
    if (only) {
      index.accumulate(only.term, only.weight * worth(word, only.term), damping, ofQuery)
      if (only.match === 'word') nameIndex.sum(only.term, nameHits)
      return
    }
    for (const { term, weight, match } of alternatives) {
      index.tally(term, weight * worth(word, term), damping, ofWord)
      if (match === 'word') nameIndex.sum(term, nameHits)
    }
    for (let i = 0; i < ofWord.count; i++) {
      const slot = ofWord.slots[i]!
      add(slot, ofWord.values[slot]!)
      ofWord.values[slot] = 0
    }
    ofWord.count = 0
  }

  function add(slot: number, value: number): void {
    if (ofQuery.values[slot] === 0) ofQuery.slots[ofQuery.count++] = slot
    ofQuery.values[slot]! += value
  }

  function explainWord(
    { word, alternatives }: QueryWord,
    slot: number,
    shares: IndexedTool['shares'],
  ): ScorePart[] {
    let best: { alternative: Alternative; score: number } | undefined
    for (const alternative of alternatives) {
      const weight = index.weight(alternative.term, slot)
      const gain = alternative.weight * worth(word, alternative.term)
      const score = (gain * weight) / (weight + damping[slot]!)
      if (score > (best?.score ?? 0)) best = { alternative, score }
    }
    if (best === undefined) return []
    const { alternative, score } = best
    const { term, match } = alternative
    return shares(term).map(({ field, share }) => ({
      term: word,
      ...(term !== word && { found: term }),
      field,
      match,
      weight: score * share,
    }))
  }

  /** Takes out all that the index has of the tool in a slot. */
  function empty(slot: number): void {
    const { weights, nameTerms, keys } = scheme.read(tools[slot]!)
    index.remove(slot, weights.keys())
    nameIndex.remove(slot, nameTerms)
    for (const [rank, key] of keys.entries()) {
      setNamed(
        rank,
        key,
        named(rank, key).filter((one) => one !== slot),
      )
    }
    totalLength -= lengths[slot]!
    lengths[slot] = 0
    dampingIsFresh = false
  }

  /** How telling a term is: one that half of the tools have says little. */
  function rarity(term: string): number {
    const frequency = index.frequency(term)
    return Math.log(1 + (slots.count() - frequency + 0.5) / (frequency + 0.5))
  }

  /** What stands in for a word is not worth more than the word, however rare it is. */
  function worth(word: string, term: string): number {
    return index.has(word) ? Math.min(rarity(word), rarity(term)) : rarity(term)
  }

  /** A word that no tool has counts as what it was taken for, if it was taken for anything. */
  function bestWorth({ word, alternatives }: QueryWord): number {
    if (index.has(word) || alternatives.length === 0) return rarity(word)
    return Math.max(...alternatives.map(({ term, weight }) => weight * rarity(term)))
  }

  /** What a tool would get that had every word in its name. A query of no words is worth one. */
  function idealScore(words: readonly QueryWord[]): number {
    const saturation = scheme.idealWeight / (scheme.idealWeight + scheme.k1)
    return words.reduce((sum, word) => sum + bestWorth(word) * saturation, 0) || 1
  }

  // lengths are judged by the average, which moves with every change; search pays for it once
  function refreshDamping(): void {
    if (dampingIsFresh) return
    const average = totalLength / Math.max(slots.count(), 1) || 1
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
    ofWord = createTally(size)
    ofQuery = createTally(size)
    nameHits = new Float64Array(size)
  }
}

function covered(words: readonly QueryWord[], nameTerms: ReadonlySet<string>): number {
  const terms = words.flatMap(({ alternatives }) =>
    alternatives.filter(({ match }) => match === 'word').map(({ term }) => term),
  )
  return terms.filter((term) => nameTerms.has(term)).length / Math.max(nameTerms.size, 1)
}
