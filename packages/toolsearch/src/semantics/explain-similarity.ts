import type { TextVectors } from './embedder.ts'
import { createVectorIndex } from './vector-index.ts'
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

const MAX_PAIRS = 3
/** Words of a query with the longest vectors. Function words have short ones. */
const MAX_TERMS = 8
const MAX_KNOWN_PIECES = 8_192

/**
 * Names the words that make a query, given as text and vector, and a document similar. Returns no
 * pairs if the embedder does not know the vectors of single words.
 */
export function createSimilarityExplainer<Document extends object>(
  { dimensions, pieces }: Pick<TextVectors, 'dimensions' | 'pieces'>,
  textOf: (document: Document) => string,
): (query: string, queryVector: Float32Array) => SimilarityExplainer<Document> {
  if (!pieces) return () => () => []
  let known = createPieceIndex<Document>(dimensions)

  return (query, queryVector) => {
    if (known.pieces.length > MAX_KNOWN_PIECES) known = createPieceIndex(dimensions)
    const index = known
    const terms = longest(pieces(query))
    let contributions: Float32Array = new Float32Array()
    const closest = new Map<Piece, string>()

    return (document) => {
      const words = index.read(document, () => pieces(textOf(document)))
      if (index.pieces.length > contributions.length) contributions = index.similarity(queryVector)
      const top: { piece: Piece; value: number }[] = []
      let total = 0
      let floor = 0
      for (let at = 0; at < words.length; at += 2) {
        const slot = words[at]!
        const value = words[at + 1]! * contributions[slot]!
        total += value
        if (value <= floor) continue
        top.push({ piece: index.pieces[slot]!, value })
        top.sort((a, b) => b.value - a.value)
        if (top.length > MAX_PAIRS) top.pop()
        if (top.length === MAX_PAIRS) floor = top[MAX_PAIRS - 1]!.value
      }
      return top.map(({ piece, value }) => ({
        term: closestTerm(piece),
        found: piece.text,
        share: value / total,
      }))
    }

    function closestTerm(piece: Piece): string {
      let term = closest.get(piece)
      if (term === undefined) {
        const { vector } = piece
        let best = Number.NEGATIVE_INFINITY
        for (const { text, vector: other } of terms) {
          const value = dot(vector, other)
          if (value <= best) continue
          best = value
          term = text
        }
        closest.set(piece, term!)
      }
      return term!
    }
  }
}

/**
 * The pieces of all documents that were explained so far. Explained searches come in series that
 * return the same tools: a person types a query, one letter at a time. Reading the text of a tool
 * takes much longer than comparing its words.
 */
function createPieceIndex<Document extends object>(dimensions: number) {
  const index = createVectorIndex(dimensions)
  const slots = new Map<string, number>()
  const pieces: Piece[] = []
  /** The slots of the pieces of a document, each followed by its number of occurrences. */
  const documents = new WeakMap<Document, Uint32Array>()
  return { pieces, read, similarity: (vector: Float32Array) => index.similarity(vector) }

  function read(document: Document, readPieces: () => readonly Piece[]): Uint32Array {
    const known = documents.get(document)
    if (known) return known
    const counts = new Map<number, number>()
    for (const piece of readPieces()) {
      const slot = slotOf(piece)
      counts.set(slot, (counts.get(slot) ?? 0) + 1)
    }
    const words = Uint32Array.from([...counts].flat())
    documents.set(document, words)
    return words
  }

  function slotOf(piece: Piece): number {
    const known = slots.get(piece.text)
    if (known !== undefined) return known
    const slot = pieces.push(piece) - 1
    slots.set(piece.text, slot)
    index.set(slot, piece.vector)
    return slot
  }
}

function longest(pieces: readonly Piece[]): Piece[] {
  const distinct = new Map(pieces.map((piece) => [piece.text, piece]))
  // An embedder may compute the vector of a piece on access, so each is read once.
  return [...distinct.values()]
    .map(({ text, vector }) => ({ text, vector, length: lengthOf(vector) }))
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_TERMS)
}
