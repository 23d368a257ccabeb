import { wordsOf } from '../words/words.ts'
import { createIndexRanker } from './index-ranker.ts'
import type { Ranker } from './ranker.ts'

export interface Bm25Options {
  /** @default 1.2 */
  k1?: number
  /** @default 0.75 */
  b?: number
}

/** Plain Okapi BM25 over name and description as one text: what the wiki page describes. */
export function bm25Ranker({ k1 = 1.2, b = 0.75 }: Bm25Options = {}): Ranker {
  return createIndexRanker({
    name: 'bm25',
    k1,
    b,
    idealWeight: 1,
    doubt: 0,
    nameCoverage: 0,
    read({ name, description }) {
      const inName = plainTerms(name)
      const terms = [...inName, ...plainTerms(description)]
      const weights = new Map<string, number>()
      for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1)
      return {
        weights,
        length: terms.length,
        nameTerms: new Set(),
        keys: [],
        shares(term) {
          const share = inName.filter((one) => one === term).length / weights.get(term)!
          return [
            { field: 'name' as const, share },
            { field: 'description' as const, share: 1 - share },
          ].filter((one) => one.share > 0)
        },
      }
    },
    words: ({ text }) =>
      [...new Set(plainTerms(text))].map((word) => ({
        word,
        alternatives: [{ term: word, weight: 1, match: 'word' }],
      })),
    queryKey: () => '',
  })
}

function plainTerms(text: string): string[] {
  return wordsOf(text).flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
}
