import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { createVocabulary, type Vocabulary } from '../words/vocabulary.ts'
import { createInvertedIndex, createTally } from './inverted-index.ts'
import { joinTerms } from './join-terms.ts'
import type { Field, OtherLayer, Ranker, ScorePart, TermStatistics } from './ranker.ts'
import { createToolSlots } from './tool-slots.ts'
import { createTopHits } from './top-hits.ts'

/** Which parts of a tool a BM25 ranker indexes, and how it reads a query. */
export interface IndexScheme {
  readonly name: string
  /** BM25's k1: the larger it is, the more a repeated word adds to the score. */
  readonly k1: number
  /** BM25's b, 0 to 1: how much a text that is longer than the average is penalised. */
  readonly b: number
  /** The weight of a word in the best possible place. */
  readonly idealWeight: number
  /** A best score below this share of the ideal score of one word is doubted; 0 to never doubt. */
  readonly doubt: number
  /** The bonus, as a share of the score, for a query with all words of a tool's name; 0 for none. */
  readonly nameCoverage: number
  readTool(tool: Tool): IndexedTool
  readQuery(query: WordsQuery, vocabulary: Vocabulary): IndexQuery
  /** For each term, its distribution over the fields of a tool that contains all of the terms. */
  fieldShares(tool: Tool, terms: readonly string[]): readonly (readonly FieldShare[])[]
}

/** What the index stores about a tool. */
export interface IndexedTool {
  readonly weights: ReadonlyMap<string, number>
  /** The length that `b` refers to. */
  readonly length: number
  /** The terms of its name, for the coverage bonus. */
  readonly nameTerms: ReadonlySet<string>
  /** Normalised forms of the tool's name. A query that equals an earlier one gets a larger bonus. */
  readonly keys: readonly string[]
}

/** The shares of one term add up to 1. */
export interface FieldShare {
  readonly field: Field
  readonly share: number
}

export interface IndexQuery {
  readonly words: readonly QueryWord[]
  /** Equals one of the `keys` of a tool if the query is that tool's name. */
  readonly key: string
}

/** A word of a query with the indexed terms that may stand for it. A tool scores for the best one. */
export interface QueryWord {
  readonly word: string
  readonly alternatives: readonly Alternative[]
}

export interface Alternative {
  readonly term: string
  /** How much it counts relative to the word itself, 0 to 1. */
  readonly weight: number
  readonly match: ScorePart['match']
}

/** The full name beats the name without its server prefix. */
const KEY_BONUS = [1, 0.9]

/** BM25 over an inverted index that is updated one tool at a time. */
export function createIndexRanker(scheme: IndexScheme): Ranker {
  const vocabulary = createVocabulary()
  const index = createInvertedIndex({ onNewTerm: vocabulary.add, onLostTerm: vocabulary.delete })
  const nameIndex = createInvertedIndex()
  const slots = createToolSlots()
  const { tools, places } = slots
  /** For each key, the slots of the tools it names, one map per bonus. */
  const keyed = KEY_BONUS.map(() => new Map<string, number | readonly number[]>())
  let totalLength = 0
  let lengths = new Float32Array(64)
  let damping = new Float32Array(64)
  /** The average length that `damping` was computed for; 0 if lengths have changed since. */
  let dampedFor = 0
  let wordTally = createTally(64)
  let queryTally = createTally(64)
  /** By slot: how many terms the name has, and how many of them the current query has. */
  const nameSizes: number[] = []
  let nameHits = new Float64Array(64)
  const terms: TermStatistics = {
    vocabulary,
    tools: slots.count,
    length: () => totalLength,
    frequency: index.frequency,
  }

  return {
    name: scheme.name,
    terms,
    set(tool) {
      const replaced = slots.of(tool.name)
      if (replaced !== undefined) unindex(replaced)
      const slot = slots.set(tool)
      if (slot >= lengths.length) grow(slot + 1)
      const { weights, length, nameTerms, keys } = scheme.readTool(tool)
      index.add(slot, weights)
      nameIndex.add(slot, new Map([...nameTerms].map((term) => [term, 1])))
      nameSizes[slot] = Math.max(nameTerms.size, 1)
      for (const [rank, key] of keys.entries()) {
        setNamed(rank, key, [...named(rank, key), slot])
      }
      lengths[slot] = length
      totalLength += length
      dampedFor = 0
    },
    delete(name) {
      const slot = slots.of(name)
      if (slot === undefined) return
      unindex(slot)
      slots.delete(name)
    },
    rank(query, options) {
      const { explain, ...bounds } = tallyQuery(query, options.otherLayer)
      const top = createTopHits(options)
      while (queryTally.count > 0) {
        const slot = queryTally.slots[--queryTally.count]!
        top.offer(tools[slot]!, takeScore(slot), places[slot]!)
      }
      const hits = top.hits()
      return options.explain
        ? { hits, total: top.total(), explain, ...bounds }
        : { hits, ...bounds }
    },
    scoreAll(query, visit, otherLayer) {
      const found = tallyQuery(query, otherLayer)
      while (queryTally.count > 0) {
        const slot = queryTally.slots[--queryTally.count]!
        visit(slot, takeScore(slot))
      }
      return found
    },
  }

  /** Adds the scores of all tools to `queryTally` and `nameHits`; `takeScore` empties both. */
  function tallyQuery(text: WordsQuery, otherLayer?: OtherLayer) {
    const corpus = otherLayer?.terms ? joinTerms(terms, otherLayer.terms) : terms
    updateDamping(corpus)
    const query = scheme.readQuery(text, corpus.vocabulary)
    const { words, key } = query
    for (const word of words) addWord(word, corpus)
    const idealScore = idealScoreOf(words, corpus)
    for (const [rank, bonus] of KEY_BONUS.entries()) {
      for (const slot of named(rank, key)) add(slot, bonus * idealScore)
    }
    return {
      idealScore,
      minConfidentScore: (scheme.doubt * idealScore) / Math.max(words.length, 1),
      explain: explainer(query, text.name, idealScore, corpus),
    }
  }

  /** Returns the score of a slot and resets it for the next query. */
  function takeScore(slot: number): number {
    const score = queryTally.values[slot]!
    const coverage = nameHits[slot]! / nameSizes[slot]!
    queryTally.values[slot] = 0
    nameHits[slot] = 0
    return score * (1 + scheme.nameCoverage * coverage)
  }

  function named(rank: number, key: string): readonly number[] {
    const slots = keyed[rank]!.get(key) ?? []
    return typeof slots === 'number' ? [slots] : slots
  }

  // Nearly every name belongs to one tool, and a number needs no separate allocation.
  function setNamed(rank: number, key: string, slots: readonly number[]): void {
    if (slots.length === 0) keyed[rank]!.delete(key)
    else keyed[rank]!.set(key, slots.length === 1 ? slots[0]! : slots)
  }

  /** A tool scores for the best alternative; only the word itself counts for name coverage. */
  function addWord({ word, alternatives }: QueryWord, corpus: TermStatistics): void {
    const only = alternatives.length === 1 ? alternatives[0] : undefined
    if (only) {
      const gain = only.weight * worth(word, only.term, corpus)
      index.accumulate(only.term, gain, damping, queryTally)
      if (only.match === 'word') nameIndex.sum(only.term, nameHits)
      return
    }
    for (const { term, weight, match } of alternatives) {
      index.tally(term, weight * worth(word, term, corpus), damping, wordTally)
      if (match === 'word') nameIndex.sum(term, nameHits)
    }
    for (let i = 0; i < wordTally.count; i++) {
      const slot = wordTally.slots[i]!
      add(slot, wordTally.values[slot]!)
      wordTally.values[slot] = 0
    }
    wordTally.count = 0
  }

  function add(slot: number, value: number): void {
    if (queryTally.values[slot] === 0) queryTally.slots[queryTally.count++] = slot
    queryTally.values[slot]! += value
  }

  function explainer(
    { words, key }: IndexQuery,
    queryName: string,
    idealScore: number,
    corpus: TermStatistics,
  ) {
    let gains: readonly (readonly number[])[] | undefined
    const average = averageLength(corpus)
    return (name: string): readonly ScorePart[] => {
      gains ??= words.map(({ word, alternatives }) =>
        alternatives.map(({ term, weight }) => weight * worth(word, term, corpus)),
      )
      const slot = slots.of(name)
      if (slot === undefined) return []
      const matches: WordMatch[] = []
      for (let at = 0; at < words.length; at++) {
        const match = bestMatch(words[at]!, gains[at]!, slot, average)
        if (match) matches.push(match)
      }
      const terms = matches.map(({ alternative }) => alternative.term)
      const shares = terms.length > 0 ? scheme.fieldShares(tools[slot]!, terms) : []
      const parts: ScorePart[] = []
      for (let at = 0; at < matches.length; at++) {
        const { word, alternative, score } = matches[at]!
        const { term, match } = alternative
        for (const { field, share } of shares[at]!) {
          const weight = score * share
          if (term === word) parts.push({ term: word, field, match, weight })
          else parts.push({ term: word, found: term, field, match, weight })
        }
      }
      const bonus = KEY_BONUS.find((_, rank) => named(rank, key).includes(slot))
      if (bonus !== undefined) {
        const weight = bonus * idealScore
        parts.push({ term: queryName, field: 'name', match: 'exact', weight })
      }
      const score = parts.reduce((sum, { weight }) => sum + weight, 0)
      const weight = score * scheme.nameCoverage * nameCoverage(words, slot)
      if (weight > 0) parts.push({ term: name, field: 'name', match: 'coverage', weight })
      return parts
    }
  }

  function bestMatch(
    { word, alternatives }: QueryWord,
    gains: readonly number[],
    slot: number,
    average: number,
  ): WordMatch | undefined {
    let best: WordMatch | undefined
    // Not from the array: a search with another layer may have computed it for another average.
    const damped = Math.fround(dampingOf(slot, average))
    for (let at = 0; at < alternatives.length; at++) {
      const alternative = alternatives[at]!
      const weight = index.weight(alternative.term, slot)
      const score = (gains[at]! * weight) / (weight + damped)
      if (score > (best?.score ?? 0)) best = { word, alternative, score }
    }
    return best
  }

  function nameCoverage(words: readonly QueryWord[], slot: number): number {
    let hits = 0
    for (const { alternatives } of words) {
      for (const { term, match } of alternatives) {
        if (match === 'word') hits += nameIndex.weight(term, slot)
      }
    }
    return hits / nameSizes[slot]!
  }

  function unindex(slot: number): void {
    const { weights, nameTerms, keys } = scheme.readTool(tools[slot]!)
    index.remove(slot, weights.keys())
    nameIndex.remove(slot, nameTerms)
    for (const [rank, key] of keys.entries()) {
      setNamed(
        rank,
        key,
        named(rank, key).filter((other) => other !== slot),
      )
    }
    totalLength -= lengths[slot]!
    lengths[slot] = 0
    dampedFor = 0
  }

  /** BM25's inverse document frequency: a term that half of the tools contain says little. */
  function rarity(term: string, corpus: TermStatistics): number {
    const frequency = corpus.frequency(term)
    return Math.log(1 + (corpus.tools() - frequency + 0.5) / (frequency + 0.5))
  }

  /** A substitute is never worth more than the word it stands for, even if it is rarer. */
  function worth(word: string, term: string, corpus: TermStatistics): number {
    const ofTerm = rarity(term, corpus)
    return corpus.frequency(word) > 0 ? Math.min(rarity(word, corpus), ofTerm) : ofTerm
  }

  /** An unknown word is worth as much as its best substitute, if it has any. */
  function bestWorth({ word, alternatives }: QueryWord, corpus: TermStatistics): number {
    if (corpus.frequency(word) > 0 || alternatives.length === 0) return rarity(word, corpus)
    return Math.max(...alternatives.map(({ term, weight }) => weight * rarity(term, corpus)))
  }

  /** The score of a tool with every word in its name; 1 for a query without words. */
  function idealScoreOf(words: readonly QueryWord[], corpus: TermStatistics): number {
    const saturation = scheme.idealWeight / (scheme.idealWeight + scheme.k1)
    return words.reduce((sum, word) => sum + bestWorth(word, corpus) * saturation, 0) || 1
  }

  // The average length changes with every tool. Computing the damping on the next search
  // instead of on each change keeps adding many tools fast.
  function updateDamping(corpus: TermStatistics): void {
    const average = averageLength(corpus)
    if (average === dampedFor) return
    for (let slot = 0; slot < tools.length; slot++) damping[slot] = dampingOf(slot, average)
    dampedFor = average
  }

  function dampingOf(slot: number, average: number): number {
    const { k1, b } = scheme
    return k1 * (1 - b + (b * lengths[slot]!) / average)
  }

  function grow(needed: number): void {
    const size = Math.ceil(Math.max(needed, 64) * 1.5)
    const longer = new Float32Array(size)
    longer.set(lengths)
    lengths = longer
    damping = new Float32Array(size)
    dampedFor = 0
    wordTally = createTally(size)
    queryTally = createTally(size)
    nameHits = new Float64Array(size)
  }
}

function averageLength(corpus: TermStatistics): number {
  return corpus.length() / Math.max(corpus.tools(), 1) || 1
}

/** The alternative of a query word that scores best on a tool. */
interface WordMatch {
  readonly word: string
  readonly alternative: Alternative
  readonly score: number
}
