import type { WordsQuery } from '../query/query.ts'
import { explainScore } from './explain-score.ts'
import type { IndexScheme } from './index-scheme.ts'
import { createIndexStore } from './index-store.ts'
import { createTally } from './inverted-index.ts'
import { judgeWords } from './judge-words.ts'
import type { Ranker, Ranking, RankOptions } from './ranker.ts'
import { termScope } from './term-scope.ts'
import { createTopHits } from './top-hits.ts'
import { type WeighedTerm, weighWords } from './weigh-words.ts'

/** The full name beats the name without its server prefix. */
const KEY_BONUS = [1, 0.9]

/** BM25 over an inverted index that is updated one tool at a time. */
export function createIndexRanker(scheme: IndexScheme): Ranker {
  const store = createIndexStore(scheme)
  const { index, reader, slots } = store
  /** What a word in the best possible place scores, as a share of what it is worth. */
  const saturation = scheme.idealWeight / (scheme.idealWeight + scheme.k1)
  /** All scores of the current query, without the bonus for its share of the name. */
  let tally = createTally(64)
  let wordTally = createTally(64)
  /** By slot: how many terms of its name the current query has. */
  let nameHits = new Float64Array(64)

  return {
    name: scheme.name,
    terms: store.terms,
    set: store.set,
    delete: store.delete,
    rank(query, options) {
      const { marks, judge, explain, ...bounds } = tallyQuery(query, options)
      const { accepts, isVisible, ...rest } = options
      // Hidden tools are left out by their marks, which is faster.
      const top = createTopHits(accepts && accepts !== isVisible ? options : rest)
      for (let at = tally.count - 1; at >= 0; at--) {
        const slot = tally.slots[at]!
        const score = takeScore(slot)
        if (marks && marks[slot] === 0) continue
        if (score < top.floor() && !options.explain) continue
        top.offer(slots.tools[slot]!, score, slots.places[slot]!)
      }
      tally.count = 0
      return {
        hits: top.hits(),
        ...bounds,
        ...(judge && { judge }),
        ...(options.explain && { total: top.total(), rejected: top.rejected(), explain }),
      }
    },
    scoreAll(query, visit, options = {}) {
      const { marks, judge, ...found } = tallyQuery(query, options)
      while (tally.count > 0) {
        const slot = tally.slots[--tally.count]!
        visit(slot, takeScore(slot))
      }
      return found
    },
  }

  /** Adds up the scores of all tools. `takeScore` has to take each of them before the next query. */
  function tallyQuery(
    query: WordsQuery,
    { isVisible, otherLayer }: Pick<RankOptions, 'isVisible' | 'otherLayer'>,
  ) {
    reserve(slots.tools.length)
    const own = isVisible ? store.termsAmong(isVisible) : store.terms
    const scope = termScope(own, otherLayer?.terms)
    const { tools, averageLength } = scope
    const read = reader.readQuery(query, scope.vocabulary)
    const { key, unknownProducts = [] } = read
    const words = weighWords(read.words, store.numberOf, scope)
    const damping = store.dampingAt(averageLength)
    let idealScore = 0
    for (const { worth, terms } of words) {
      addWord(terms, damping)
      idealScore += worth * saturation
    }
    idealScore ||= 1
    const bonuses = new Map<number, number>()
    for (let rank = 0; rank < KEY_BONUS.length; rank++) {
      const bonus = KEY_BONUS[rank]! * idealScore
      for (const slot of store.named(rank, key)) {
        add(slot, bonus)
        if (!bonuses.has(slot)) bonuses.set(slot, bonus)
      }
    }
    const bounds = {
      idealScore,
      minConfidentScore: (scheme.doubt * idealScore) / Math.max(words.length, 1),
      ...(unknownProducts.length > 0 && { unknownProducts }),
    }
    const { confidence: weights } = scheme
    const judge: Ranking['judge'] =
      weights && ((hits) => judgeWords(hits, { ...bounds, tools, weights }))
    const scored = { name: query.name, words, bonuses, averageLength }
    const explain: NonNullable<Ranking['explain']> = (name) => {
      const slot = slots.of(name)
      return slot === undefined ? [] : explainScore(slot, scored, store, scheme)
    }
    return { ...bounds, marks: own.marks, judge, explain }
  }

  /** A tool scores for the best alternative; only the word itself counts as a part of its name. */
  function addWord(terms: readonly WeighedTerm[], damping: Float32Array): void {
    for (const { number, gain, match } of terms) {
      const names = match === 'word' ? nameHits : undefined
      if (terms.length > 1) index.tally(number, gain, damping, wordTally, names)
      else index.accumulate(number, gain, damping, tally, names)
    }
    const { slots, values, count } = wordTally
    for (let at = 0; at < count; at++) {
      const slot = slots[at]!
      add(slot, values[slot]!)
      values[slot] = 0
    }
    wordTally.count = 0
  }

  function add(slot: number, value: number): void {
    if (tally.values[slot] === 0) tally.slots[tally.count++] = slot
    tally.values[slot]! += value
  }

  /** Returns the score of a slot and resets it for the next query. */
  function takeScore(slot: number): number {
    const score = tally.values[slot]!
    const hits = nameHits[slot]!
    tally.values[slot] = 0
    if (hits === 0) return score
    nameHits[slot] = 0
    return score * (1 + scheme.nameCoverage * (hits / store.nameSize(slot)))
  }

  function reserve(needed: number): void {
    if (needed <= nameHits.length) return
    const size = Math.ceil(needed * 1.5)
    tally = createTally(size)
    wordTally = createTally(size)
    nameHits = new Float64Array(size)
  }
}
