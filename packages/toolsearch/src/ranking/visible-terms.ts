import type { Vocabulary, WritableVocabulary } from '../words/vocabulary.ts'
import type { InvertedIndex } from './inverted-index.ts'
import type { IndexTerms } from './term-scope.ts'
import type { TermTable } from './term-table.ts'

export interface VisibleTermsOptions {
  readonly index: Pick<InvertedIndex, 'frequencyAmong'>
  readonly terms: Pick<TermTable, 'find'>
  /** The length of the tool in a slot. */
  readonly lengthOf: (slot: number) => number
  /** All terms of the index, with those of concealed tools. */
  readonly allTerms: () => WritableVocabulary
}

/** Counts terms among the visible tools of an index, when a search asks for them. */
export function countVisibleTerms(
  marks: Uint8Array,
  { index, terms, lengthOf, allTerms }: VisibleTermsOptions,
): IndexTerms {
  let count = 0
  let length = 0
  for (let slot = 0; slot < marks.length; slot++) {
    if (marks[slot] === 0) continue
    count++
    length += lengthOf(slot)
  }
  const frequencies = new Map<number, number>()
  const frequencyOf = (term: number) => {
    const known = frequencies.get(term)
    if (known !== undefined) return known
    const frequency = index.frequencyAmong(term, marks)
    frequencies.set(term, frequency)
    return frequency
  }
  const frequency = (term: string) => frequencyOf(terms.find(term))
  const isKnown = (term: string) => frequency(term) > 0
  const vocabulary: Vocabulary = {
    has: isKnown,
    startingWith: (prefix) => allTerms().startingWith(prefix, isKnown),
    resembling: (word) => allTerms().resembling(word, isKnown),
  }
  return { marks, vocabulary, tools: () => count, length: () => length, frequency, frequencyOf }
}
