import type { Tool } from '../catalogue/tool.ts'
import { type Check, checkOptions, number, share } from '../options/check-option.ts'
import { wordsOf } from '../words/words.ts'
import { createIndexRanker } from './index-ranker.ts'
import type { FieldShare, IndexReader } from './index-scheme.ts'
import type { Ranker } from './ranker.ts'
import type { TermTable } from './term-table.ts'
import { createTermWeights } from './term-weights.ts'

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
    createReader,
  })
}

function createReader(terms: TermTable): IndexReader {
  const postings = createTermWeights()
  return {
    readTool({ name, description }) {
      const words = [...plainTerms(name), ...plainTerms(description)]
      postings.clear()
      for (const word of words) postings.add(terms.numberOf(word), 1)
      return { postings, length: words.length, nameSize: 0, keys: [] }
    },
    readQuery({ text }) {
      const words = [...new Set(plainTerms(text))].map((word) => ({
        word,
        weight: 1,
        alternatives: [{ term: word, weight: 1, match: 'word' as const }],
      }))
      return { words, key: [] }
    },
    keysOf: () => [],
    fieldShares,
    forgetTerms() {},
  }
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
