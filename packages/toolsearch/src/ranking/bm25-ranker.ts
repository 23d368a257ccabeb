import { createIndexRanker } from './index-ranker.ts'
import type { Ranker } from './ranker.ts'
import { wordsOf } from './words.ts'

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
    read(tool) {
      const weights = new Map<string, number>()
      let length = 0
      for (const term of [...plainTerms(tool.name), ...plainTerms(tool.description)]) {
        weights.set(term, (weights.get(term) ?? 0) + 1)
        length++
      }
      return { weights, length }
    },
    terms: (query) => [...new Set(plainTerms(query.text))],
    nameKeys: () => [],
    queryKey: () => '',
    shares: (tool, term) => {
      const inName = count(tool.name, term)
      const all = inName + count(tool.description, term)
      return [
        { field: 'name' as const, weight: inName / all },
        { field: 'description' as const, weight: 1 - inName / all },
      ].filter((share) => share.weight > 0)
    },
  })
}

function plainTerms(text: string): string[] {
  return [...wordsOf(text)].flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
}

function count(text: string, term: string): number {
  return plainTerms(text).filter((one) => one === term).length
}
