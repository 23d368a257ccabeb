import { joinVocabularies } from '../words/join-vocabularies.ts'
import type { TermStatistics } from './ranker.ts'

/** The statistics of two rankers as if all tools were in one. */
export function joinTerms(a: TermStatistics, b: TermStatistics): TermStatistics {
  return {
    vocabulary: joinVocabularies(a.vocabulary, b.vocabulary),
    tools: () => a.tools() + b.tools(),
    length: () => a.length() + b.length(),
    frequency: (term) => a.frequency(term) + b.frequency(term),
  }
}
