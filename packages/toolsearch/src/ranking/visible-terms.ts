import type { Tool } from '../catalogue/tool.ts'
import type { Vocabulary, WritableVocabulary } from '../words/vocabulary.ts'
import type { InvertedIndex } from './inverted-index.ts'
import type { TermStatistics } from './ranker.ts'
import type { TermTable } from './term-table.ts'

/** How often terms occur in the tools that a caller may know. */
export interface VisibleTerms extends TermStatistics {
  /** Like `frequency`, by the number of a term. */
  frequencyOf(term: number): number
}

export interface VisibleTermsOptions {
  readonly index: Pick<InvertedIndex, 'frequencyAmong'>
  readonly terms: Pick<TermTable, 'find'>
  /** By slot. */
  readonly tools: readonly (Tool | undefined)[]
  /** The length of the tool in a slot. */
  readonly lengthOf: (slot: number) => number
  /** All terms of the index, with those of hidden tools. */
  readonly allTerms: () => WritableVocabulary
}

/** Counts terms among the visible tools of an index, when a search asks for them. */
export function countVisibleTerms(
  isVisible: (tool: Tool) => boolean,
  { index, terms, tools, lengthOf, allTerms }: VisibleTermsOptions,
): VisibleTerms {
  const marked = new Uint8Array(tools.length)
  let count = 0
  let length = 0
  for (let slot = 0; slot < tools.length; slot++) {
    const tool = tools[slot]
    if (!tool || !isVisible(tool)) continue
    marked[slot] = 1
    count++
    length += lengthOf(slot)
  }
  const frequencies = new Map<number, number>()
  const frequencyOf = (term: number) => {
    const known = frequencies.get(term)
    if (known !== undefined) return known
    const frequency = index.frequencyAmong(term, marked)
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
  return { vocabulary, tools: () => count, length: () => length, frequency, frequencyOf }
}
