import type { Tool } from '../catalogue/tool.ts'
import { type Check, checkOptions, number, share } from '../options/check-option.ts'
import { wordsOf } from '../words/words.ts'
import { createIndexRanker, type FieldShare } from './index-ranker.ts'
import type { Ranker } from './ranker.ts'

export interface Bm25Options {
  /** @default 1.2 */
  k1?: number
  /** @default 0.75 */
  b?: number
}

/** Plain Okapi BM25 over the name and the description as one text. */
export function bm25Ranker(options: Bm25Options = {}): Ranker {
  checkOptions(options, 'options', { k1: number(), b: share } satisfies Record<
    keyof Bm25Options,
    Check
  >)
  const { k1 = 1.2, b = 0.75 } = options
  return createIndexRanker({
    name: 'bm25',
    k1,
    b,
    idealWeight: 1,
    doubt: 0,
    nameCoverage: 0,
    readTool({ name, description }) {
      const terms = [...plainTerms(name), ...plainTerms(description)]
      const weights = new Map<string, number>()
      for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1)
      return { weights, length: terms.length, nameTerms: new Set(), keys: [] }
    },
    readQuery({ text }) {
      const words = [...new Set(plainTerms(text))].map((word) => ({
        word,
        alternatives: [{ term: word, weight: 1, match: 'word' as const }],
      }))
      return { words, key: '' }
    },
    fieldShares,
  })
}

function fieldShares({ name, description }: Tool, terms: readonly string[]): FieldShare[][] {
  const inName = plainTerms(name)
  const inDescription = plainTerms(description)
  const count = (list: readonly string[], term: string) =>
    list.filter((other) => other === term).length
  return terms.map((term) => {
    const [names, descriptions] = [count(inName, term), count(inDescription, term)]
    const share = names / (names + descriptions)
    return [
      { field: 'name' as const, share },
      { field: 'description' as const, share: 1 - share },
    ].filter((part) => part.share > 0)
  })
}

function plainTerms(text: string): string[] {
  return wordsOf(text).flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
}
