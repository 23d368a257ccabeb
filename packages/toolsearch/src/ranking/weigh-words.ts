import type { Alternative, QueryWord } from './index-scheme.ts'
import type { TermScope } from './term-scope.ts'

/** A word of a query with what it adds to the score of a tool. */
export interface WeighedWord {
  readonly word: string
  /** What a tool gains that says the word itself: an unknown word is worth as much as its best substitute. */
  readonly worth: number
  /** A tool scores for the best one. */
  readonly terms: readonly WeighedTerm[]
}

export interface WeighedTerm extends Pick<Alternative, 'term' | 'match'> {
  readonly number: number
  /** What a tool gains in which the term has the largest possible weight. */
  readonly gain: number
}

/** @param numberOf the number of a term in the index */
export function weighWords(
  words: readonly QueryWord[],
  numberOf: (term: string) => number,
  { frequency, rarity }: TermScope,
): readonly WeighedWord[] {
  return words.map(({ word, weight: ofWord, alternatives }) => {
    const ownNumber = numberOf(word)
    const ownFrequency = frequency(word, ownNumber)
    const isKnown = ownFrequency > 0
    const own = rarity(ownFrequency)
    let best = 0
    const terms = alternatives.map(({ term, weight, match }) => {
      const isWord = term === word
      const number = isWord ? ownNumber : numberOf(term)
      const ofTerm = isWord ? own : rarity(frequency(term, number))
      best = Math.max(best, weight * ofTerm)
      // A substitute is never worth more than the word it stands for, even if it is rarer.
      const gain = ofWord * weight * (isKnown ? Math.min(own, ofTerm) : ofTerm)
      return { term, match, number, gain }
    })
    return { word, worth: ofWord * (isKnown || terms.length === 0 ? own : best), terms }
  })
}
