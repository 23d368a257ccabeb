import type { TextVectors } from './embedder.ts'
import { dot } from './vector-math.ts'

/** A word of the query and a word of the document that are similar. */
export interface SimilarPair {
  readonly term: string
  readonly found: string
  /** Its share of the similarity of the two texts, 0 to 1. */
  readonly share: number
}

const MAX_PAIRS = 3

/**
 * Returns a function that names the word pairs that contribute most to the similarity of the query
 * and a document, best first. It returns no pairs if the vectors of single words are not known.
 */
export function similarityExplainer(
  { pieces = () => [] }: Pick<TextVectors, 'pieces'>,
  query: string,
): (document: string) => SimilarPair[] {
  const queryPieces = mergeByText(pieces(query))
  // Documents share many words, and a product takes far longer to compute than to look up.
  const products = new Map<Float32Array, Float64Array>()

  function productsOf(vector: Float32Array): Float64Array {
    let known = products.get(vector)
    if (known === undefined) {
      known = Float64Array.from(queryPieces, (piece) => dot(piece.vector, vector))
      products.set(vector, known)
    }
    return known
  }

  return (document) => {
    const byWord = new Map<string, Float64Array>()
    for (const { text, vector } of pieces(document)) {
      const own = productsOf(vector)
      const others = byWord.get(text)
      byWord.set(text, others ? others.map((product, i) => product + own[i]!) : own)
    }
    let total = 0
    const top: { term: string; found: string; product: number }[] = []
    for (const [found, ofWord] of byWord) {
      for (let i = 0; i < ofWord.length; i++) {
        const product = ofWord[i]!
        if (product <= 0) continue
        total += product
        if (top.length === MAX_PAIRS && product <= top[MAX_PAIRS - 1]!.product) continue
        top.push({ term: queryPieces[i]!.text, found, product })
        top.sort((a, b) => b.product - a.product)
        top.length = Math.min(top.length, MAX_PAIRS)
      }
    }
    return top.map(({ term, found, product }) => ({ term, found, share: product / total }))
  }
}

type Piece = ReturnType<NonNullable<TextVectors['pieces']>>[number]

function mergeByText(pieces: readonly Piece[]): Piece[] {
  const merged = new Map<string, Piece>()
  for (const { text, vector } of pieces) {
    const other = merged.get(text)?.vector
    merged.set(text, { text, vector: other ? vector.map((n, i) => n + other[i]!) : vector })
  }
  return [...merged.values()]
}
