import { joinVocabularies } from '../words/join-vocabularies.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { TermStatistics } from './ranker.ts'
import { rarityOf } from './rarity-of.ts'

/** How often terms occur in the tools of an index, or in those that a caller may know. */
export interface IndexTerms extends TermStatistics {
  /** Like `frequency`, by the number of a term. */
  frequencyOf(number: number): number
  /** By slot: 1 if the tool is visible. Absent if all are. */
  readonly marks?: Uint8Array
}

/** The tools that decide how much the terms of a query count. */
export interface TermScope {
  readonly vocabulary: Vocabulary
  readonly tools: number
  readonly averageLength: number
  frequency(term: string, number: number): number
  rarity(frequency: number): number
}

/** @param other the tools of another ranker that are ranked together with those of the index */
export function termScope(own: IndexTerms, other: TermStatistics | undefined): TermScope {
  const tools = own.tools() + (other?.tools() ?? 0)
  const length = own.length() + (other?.length() ?? 0)
  return {
    vocabulary: other ? joinVocabularies(own.vocabulary, other.vocabulary) : own.vocabulary,
    tools,
    averageLength: length / Math.max(tools, 1) || 1,
    frequency: (term, number) => own.frequencyOf(number) + (other?.frequency(term) ?? 0),
    rarity: (frequency) => rarityOf(frequency, tools),
  }
}
