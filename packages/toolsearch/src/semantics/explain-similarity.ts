import type { TextVectors } from './embedder.ts'
import { dot, lengthOf } from './vector-math.ts'

/** A word of a document that contributes to its similarity to a query. */
interface SimilarPair {
  /** The word of the query that it is most similar to. */
  readonly term: string
  readonly found: string
  /** Its share of the similarity. The shares of all pairs add up to 1 at most. */
  readonly share: number
}

/** Explains the similarity of one query to any document, best pair first. */
export type SimilarityExplainer<Document> = (document: Document) => SimilarPair[]

type Piece = ReturnType<NonNullable<TextVectors['pieces']>>[number]

interface DocumentPieces {
  /** The most significant pieces, and how often each occurs. */
  readonly pieces: readonly { readonly piece: Piece; readonly count: number }[]
  /** The sum of all pieces. */
  readonly vector: Float32Array
}

const MAX_PAIRS = 3
/** Function words have short vectors. Comparing only the longest ones leaves them out. */
const MAX_PIECES = 16

/**
 * Names the words that make a query and a document similar. Returns no pairs if the embedder does
 * not know the vectors of single words.
 */
export function createSimilarityExplainer<Document extends object>(
  { dimensions, pieces }: Pick<TextVectors, 'dimensions' | 'pieces'>,
  textOf: (document: Document) => string,
): (query: string) => SimilarityExplainer<Document> {
  if (!pieces) return () => () => []
  // While a person types a query, one explained search after the other returns the same tools.
  // Reading the text of a tool takes much longer than comparing its words.
  const cache = new WeakMap<Document, DocumentPieces>()

  return (query) => {
    const queryPieces = pieces(query).map(({ text, vector }) => ({ text, vector }))
    const sum = sumOf(queryPieces, dimensions)
    const contributions = new Map<string, number>()
    const terms = new Map<string, string>()

    return (document) => {
      const read = cache.get(document) ?? readDocument(textOf(document))
      cache.set(document, read)
      const top: { piece: Piece; value: number }[] = []
      for (const { piece, count } of read.pieces) {
        const value = count * contributionOf(piece)
        if (value <= 0 || value <= (top[MAX_PAIRS - 1]?.value ?? 0)) continue
        top.push({ piece, value })
        top.sort((a, b) => b.value - a.value)
        top.length = Math.min(top.length, MAX_PAIRS)
      }
      const named = top.reduce((total, { value }) => total + value, 0)
      // Words that point away from the query can make the total less than the sum of the best words.
      const total = Math.max(dot(sum, read.vector), named)
      return top.map(({ piece, value }) => ({
        term: termOf(piece),
        found: piece.text,
        share: value / total,
      }))
    }

    function contributionOf(piece: Piece): number {
      let value = contributions.get(piece.text)
      if (value === undefined) {
        value = dot(sum, piece.vector)
        contributions.set(piece.text, value)
      }
      return value
    }

    function termOf({ text, vector }: Piece): string {
      let term = terms.get(text)
      if (term === undefined) {
        let best = Number.NEGATIVE_INFINITY
        for (const queryPiece of queryPieces) {
          const value = dot(queryPiece.vector, vector)
          if (value > best) [best, term] = [value, queryPiece.text]
        }
        terms.set(text, term!)
      }
      return term!
    }
  }

  function readDocument(text: string): DocumentPieces {
    const all = pieces!(text)
    const counts = new Map<string, { piece: Piece; count: number; length: number }>()
    for (const piece of all) {
      const entry = counts.get(piece.text)
      if (entry) entry.count++
      else counts.set(piece.text, { piece, count: 1, length: lengthOf(piece.vector) })
    }
    const longest = [...counts.values()].sort((a, b) => b.count * b.length - a.count * a.length)
    return { pieces: longest.slice(0, MAX_PIECES), vector: sumOf(all, dimensions) }
  }
}

function sumOf(pieces: readonly Piece[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const { vector } of pieces) for (let i = 0; i < dimensions; i++) sum[i]! += vector[i]!
  return sum
}
