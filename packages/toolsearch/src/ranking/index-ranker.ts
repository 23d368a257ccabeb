import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { joinVocabularies } from '../words/join-vocabularies.ts'
import { createVocabulary, type Vocabulary, type WritableVocabulary } from '../words/vocabulary.ts'
import { enlarge } from './enlarge.ts'
import type { Alternative, IndexQuery, IndexScheme, QueryWord } from './index-scheme.ts'
import { createInvertedIndex, createTally, type Postings } from './inverted-index.ts'
import { judgeWords, type WordsJudgement } from './judge-words.ts'
import { createNameKeys } from './name-keys.ts'
import type { Ranker, Ranking, RankOptions, ScorePart, TermStatistics } from './ranker.ts'
import { createTermTable } from './term-table.ts'
import { createToolSlots, createVisibleSlots } from './tool-slots.ts'
import { createTopHits } from './top-hits.ts'
import { countVisibleTerms, type VisibleTerms } from './visible-terms.ts'

/** The full name beats the name without its server prefix. */
const KEY_BONUS = [1, 0.9]

/** The numbers of terms that no tool contains any more are reused once there are this many. */
const MANY_LOST_TERMS = 1000

/** BM25 over an inverted index that is updated one tool at a time. */
export function createIndexRanker(scheme: IndexScheme): Ranker {
  const terms = createTermTable()
  const index = createInvertedIndex()
  /** Created by the first query with an unknown word. */
  let guesser: WritableVocabulary | undefined
  const vocabulary: Vocabulary = {
    has: (term) => index.frequency(terms.find(term)) > 0,
    startingWith: (prefix) => guess().startingWith(prefix),
    resembling: (word) => guess().resembling(word),
  }
  const reader = scheme.createReader(terms)
  const lostTerms = new Set<number>()
  const slots = createToolSlots()
  const { tools, places } = slots
  const visibleSlots = createVisibleSlots(slots)
  const keyed = KEY_BONUS.map(createNameKeys)
  /** What a word in the best possible place scores, as a share of what it is worth. */
  const saturation = scheme.idealWeight / (scheme.idealWeight + scheme.k1)
  let totalLength = 0
  let lengths = new Float32Array(64)
  let damping = new Float32Array(64).fill(scheme.k1)
  /** The average length that `damping` was computed for; 0 if lengths have changed since. */
  let dampedFor = 0
  let wordTally = createTally(64)
  let queryTally = createTally(64)
  /** By slot: how many terms the name has, and how many of them the current query has. */
  let nameSizes = new Uint32Array(64)
  let nameHits = new Float64Array(64)
  /** Dropped whenever a tool changes. */
  let visible = new WeakMap<(tool: Tool) => boolean, VisibleTerms>()

  return {
    name: scheme.name,
    terms: {
      vocabulary,
      tools: slots.count,
      length: () => totalLength,
      frequency: (term) => index.frequency(terms.find(term)),
      among: visibleTerms,
    },
    set(tool) {
      forgetVisible()
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
      forgetVisible()
      unindex(slot)
      slots.delete(name)
    },
    rank(query, options) {
      const scope = scopeOf(options)
      const { explain, ...bounds } = tallyQuery(query, scope)
      const { accepts, isVisible, ...rest } = options
      // Hidden tools are left out by their marks, which is faster.
      const top = createTopHits(accepts && accepts !== isVisible ? options : rest)
      const marks = scope.own?.marks
      const { slots, count } = queryTally
      for (let at = count - 1; at >= 0; at--) {
        const slot = slots[at]!
        const score = takeScore(slot)
        if (marks && marks[slot] === 0) continue
        if (score >= top.floor() || options.explain) top.offer(tools[slot]!, score, places[slot]!)
      }
      queryTally.count = 0
      const hits = top.hits()
      const judge = judgeFor(bounds, scope)
      return options.explain
        ? { hits, total: top.total(), explain, ...bounds, ...judge }
        : { hits, ...bounds, ...judge }
    },
    scoreAll(query, visit, options = {}) {
      const found = tallyQuery(query, scopeOf(options))
      while (queryTally.count > 0) {
        const slot = queryTally.slots[--queryTally.count]!
        visit(slot, takeScore(slot))
      }
      return found
    },
  }

  function scopeOf({
    otherLayer,
    isVisible,
  }: Pick<RankOptions, 'otherLayer' | 'isVisible'>): Scope {
    const other = otherLayer?.terms
    return { own: isVisible && visibleTerms(isVisible), other }
  }

  function forgetVisible(): void {
    visible = new WeakMap()
    visibleSlots.forget()
  }

  function visibleTerms(isVisible: (tool: Tool) => boolean): VisibleTerms {
    const known = visible.get(isVisible)
    if (known) return known
    const lengthOf = (slot: number) => lengths[slot]!
    const marks = visibleSlots.marks(isVisible)
    const counted = countVisibleTerms(marks, { index, terms, lengthOf, allTerms: guess })
    visible.set(isVisible, counted)
    return counted
  }

  /**
   * Adds the scores of all tools to `queryTally` and `nameHits`; `takeScore` empties both. Terms count
   * as if there were only the tools in the scope.
   */
  function tallyQuery(text: WordsQuery, scope: Scope) {
    updateDamping(scope)
    const own = scope.own?.vocabulary ?? vocabulary
    const query = reader.readQuery(
      text,
      scope.other ? joinVocabularies(own, scope.other.vocabulary) : own,
    )
    const { words, key, unknownProducts = [] } = query
    let idealScore = 0
    for (const word of words) idealScore += addWord(word, scope) * saturation
    idealScore ||= 1
    for (let rank = 0; rank < KEY_BONUS.length; rank++) {
      for (const slot of named(rank, key)) add(slot, KEY_BONUS[rank]! * idealScore)
    }
    return {
      idealScore,
      minConfidentScore: (scheme.doubt * idealScore) / Math.max(words.length, 1),
      explain: explainer(query, text.name, idealScore, scope),
      ...(unknownProducts.length > 0 && { unknownProducts }),
    }
  }

  function judgeFor(
    bounds: Omit<WordsJudgement, 'tools' | 'weights'>,
    scope: Scope,
  ): Pick<Ranking, 'judge'> {
    const { confidence: weights } = scheme
    if (weights === undefined) return {}
    return { judge: (hits) => judgeWords(hits, { ...bounds, tools: countTools(scope), weights }) }
  }

  /** Returns the score of a slot and resets it for the next query. */
  function takeScore(slot: number): number {
    const score = queryTally.values[slot]!
    const hits = nameHits[slot]!
    queryTally.values[slot] = 0
    if (hits === 0) return score
    nameHits[slot] = 0
    return score * (1 + scheme.nameCoverage * (hits / nameSizes[slot]!))
  }

  /** The slots of the tools with this key. */
  function named(rank: number, key: readonly string[]): readonly number[] {
    return keyed[rank]!.find(key, (slot) => reader.keysOf(tools[slot]!)[rank])
  }

  /**
   * A tool scores for the best alternative; only the word itself counts for name coverage. Returns
   * what the word is worth: an unknown word as much as its best substitute, if it has any.
   */
  function addWord({ word, weight: ofWord, alternatives }: QueryWord, scope: Scope): number {
    const wordNumber = terms.find(word)
    const frequency = frequencyOf(word, wordNumber, scope)
    const isKnown = frequency > 0
    const own = rarity(frequency, scope)
    if (alternatives.length === 0) return ofWord * own
    let best = 0
    for (const { term, weight, match } of alternatives) {
      const number = term === word ? wordNumber : terms.find(term)
      const ofTerm = term === word ? own : rarity(frequencyOf(term, number, scope), scope)
      best = Math.max(best, weight * ofTerm)
      const gain = ofWord * weight * (isKnown ? Math.min(own, ofTerm) : ofTerm)
      const names = match === 'word' ? nameHits : undefined
      if (alternatives.length > 1) index.tally(number, gain, damping, wordTally, names)
      else index.accumulate(number, gain, damping, queryTally, names)
    }
    const { slots, values, count } = wordTally
    for (let i = 0; i < count; i++) {
      const slot = slots[i]!
      add(slot, values[slot]!)
      values[slot] = 0
    }
    wordTally.count = 0
    return ofWord * (isKnown ? own : best)
  }

  function add(slot: number, value: number): void {
    if (queryTally.values[slot] === 0) queryTally.slots[queryTally.count++] = slot
    queryTally.values[slot]! += value
  }

  function explainer(
    { words, key }: IndexQuery,
    queryName: string,
    idealScore: number,
    scope: Scope,
  ) {
    let gains: readonly (readonly number[])[] | undefined
    return (name: string): readonly ScorePart[] => {
      gains ??= words.map(({ word, weight: ofWord, alternatives }) =>
        alternatives.map(({ term, weight }) => ofWord * weight * worth(word, term, scope)),
      )
      const slot = slots.of(name)
      if (slot === undefined) return []
      // Not from the array: a search with another layer may have computed it for another average.
      const damped = Math.fround(dampingOf(slot, averageLength(scope)))
      const matches: WordMatch[] = []
      for (let at = 0; at < words.length; at++) {
        const match = bestMatch(words[at]!, gains[at]!, slot, damped)
        if (match) matches.push(match)
      }
      const found = matches.map(({ alternative }) => alternative.term)
      const shares = found.length > 0 ? reader.fieldShares(tools[slot]!, found) : []
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
    damped: number,
  ): WordMatch | undefined {
    let best: WordMatch | undefined
    for (let at = 0; at < alternatives.length; at++) {
      const alternative = alternatives[at]!
      const weight = Math.abs(index.weight(terms.find(alternative.term), slot))
      const score = (gains[at]! * weight) / (weight + damped)
      if (score > (best?.score ?? 0)) best = { word, alternative, score }
    }
    return best
  }

  function nameCoverage(words: readonly QueryWord[], slot: number): number {
    let hits = 0
    for (const { alternatives } of words) {
      for (const { term, match } of alternatives) {
        if (match === 'word' && index.weight(terms.find(term), slot) < 0) hits++
      }
    }
    return hits / nameSizes[slot]!
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
      guesser?.delete(terms.termOf(term))
    }
    if (lostTerms.size > Math.max(MANY_LOST_TERMS, terms.size() / 2)) freeLostTerms()
  }

  function freeLostTerms(): void {
    reader.forgetTerms()
    for (const term of lostTerms) if (index.frequency(term) === 0) terms.free(term)
    lostTerms.clear()
  }

  function guess(): WritableVocabulary {
    if (guesser) return guesser
    guesser = createVocabulary()
    for (let term = 0; term < terms.size(); term++) {
      if (index.frequency(term) > 0) guesser.add(terms.termOf(term))
    }
    return guesser
  }

  function addNewTerms(postings: Postings): void {
    for (let at = 0; at < postings.count; at++) {
      const term = postings.terms[at]!
      if (index.frequency(term) === 0) guesser!.add(terms.termOf(term))
    }
  }

  function frequencyOf(term: string, number: number, { own, other }: Scope): number {
    const frequency = own ? own.frequencyOf(number) : index.frequency(number)
    return other ? frequency + other.frequency(term) : frequency
  }

  /** BM25's inverse document frequency: a term that half of the tools contain says little. */
  function rarity(frequency: number, scope: Scope): number {
    return Math.log(1 + (countTools(scope) - frequency + 0.5) / (frequency + 0.5))
  }

  function countTools({ own, other }: Scope): number {
    const count = own ? own.tools() : slots.count()
    return other ? count + other.tools() : count
  }

  /** A substitute is never worth more than the word it stands for, even if it is rarer. */
  function worth(word: string, term: string, scope: Scope): number {
    const ofTerm = rarity(frequencyOf(term, terms.find(term), scope), scope)
    const frequency = frequencyOf(word, terms.find(word), scope)
    return frequency > 0 ? Math.min(rarity(frequency, scope), ofTerm) : ofTerm
  }

  // The average length changes with every tool. Computing the damping on the next search
  // instead of on each change keeps adding many tools fast.
  function updateDamping(scope: Scope): void {
    if (scheme.b === 0) return
    const average = averageLength(scope)
    if (average === dampedFor) return
    for (let slot = 0; slot < tools.length; slot++) damping[slot] = dampingOf(slot, average)
    dampedFor = average
  }

  function dampingOf(slot: number, average: number): number {
    const { k1, b } = scheme
    return k1 * (1 - b + (b * lengths[slot]!) / average)
  }

  function averageLength(scope: Scope): number {
    const { own, other } = scope
    const length = (own ? own.length() : totalLength) + (other?.length() ?? 0)
    return length / Math.max(countTools(scope), 1) || 1
  }

  function grow(needed: number): void {
    const size = Math.ceil(needed * 1.5)
    lengths = enlarge(lengths, new Float32Array(size))
    nameSizes = enlarge(nameSizes, new Uint32Array(size))
    damping = new Float32Array(size).fill(scheme.k1)
    dampedFor = 0
    wordTally = createTally(size)
    queryTally = createTally(size)
    nameHits = new Float64Array(size)
  }
}

/** The tools that decide how much a term counts. */
interface Scope {
  /** Undefined if the caller may know all tools of the ranker. */
  readonly own: VisibleTerms | undefined
  /** The tools of another ranker that are ranked together with these. */
  readonly other: TermStatistics | undefined
}

/** The alternative of a query word that scores best on a tool. */
interface WordMatch {
  readonly word: string
  readonly alternative: Alternative
  readonly score: number
}
