import type { TextVectors } from './embedder.ts'
import { lengthOf } from './vector-math.ts'

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

interface TextPieces {
  /** The pieces that say most, with how often they occur. */
  readonly pieces: readonly { readonly piece: Piece; readonly count: number }[]
  /** The sum of all pieces. */
  readonly vector: Float32Array
}

const MAX_PAIRS = 3
/** Function words have short vectors. Comparing only the longest vectors leaves them out. */
const MAX_PIECES = 12
const MAX_TERMS = 8

/**
 * Names the words that make a query and a document similar. Returns no pairs if the embedder does
 * not know the vectors of single words.
 */
export function createSimilarityExplainer<Document extends object>(
  { dimensions, pieces }: Pick<TextVectors, 'dimensions' | 'pieces'>,
  textOf: (document: Document) => string,
): (query: string) => SimilarityExplainer<Document> {
  if (!pieces) return () => () => []
  // Explained searches come in series that return the same tools: a person types a query, one
  // letter at a time. Reading the text of a tool takes much longer than comparing its words.
  const known = new WeakMap<Document, TextPieces>()

  return (query) => {
    const { pieces: asked, vector: sum } = readText(query, MAX_TERMS)
    const contributions = new Map<string, number>()
    const terms = new Map<string, string>()

    return (document) => {
      const read = known.get(document) ?? readText(textOf(document), MAX_PIECES)
      known.set(document, read)
      const top: { piece: Piece; value: number }[] = []
      for (const { piece, count } of read.pieces) {
        const value = count * contributionOf(piece)
        if (value <= 0 || value <= (top[MAX_PAIRS - 1]?.value ?? 0)) continue
        top.push({ piece, value })
        top.sort((a, b) => b.value - a.value)
        top.length = Math.min(top.length, MAX_PAIRS)
      }
      const named = top.reduce((total, { value }) => total + value, 0)
      // Words that point away from the query make the whole less than the sum of the best.
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
        for (const { piece } of asked) {
          const value = dot(piece.vector, vector)
          if (value <= best) continue
          best = value
          term = piece.text
        }
        terms.set(text, term!)
      }
      return term!
    }
  }

  function readText(text: string, maxPieces: number): TextPieces {
    const all = pieces!(text)
    const counts = new Map<string, { piece: Piece; count: number; length: number }>()
    for (const piece of all) {
      const entry = counts.get(piece.text)
      if (entry) entry.count++
      else counts.set(piece.text, { piece, count: 1, length: lengthOf(piece.vector) })
    }
    const longest = [...counts.values()].sort((a, b) => b.count * b.length - a.count * a.length)
    return { pieces: longest.slice(0, maxPieces), vector: sumOf(all, dimensions) }
  }
}

// Four sums at once take half the time of the single one in `vector-math.ts`, whose last digits the
// scores depend on.
function dot(a: Float32Array, b: Float32Array): number {
  let [w, x, y, z] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < a.length; i += 4) {
    w += a[i]! * b[i]!
    x += a[i + 1]! * b[i + 1]!
    y += a[i + 2]! * b[i + 2]!
    z += a[i + 3]! * b[i + 3]!
  }
  for (; i < a.length; i++) w += a[i]! * b[i]!
  return w + x + y + z
}

function sumOf(pieces: readonly Piece[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const { vector } of pieces) for (let i = 0; i < dimensions; i++) sum[i]! += vector[i]!
  return sum
}
