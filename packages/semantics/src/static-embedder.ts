import { readStaticTable } from './table-format.ts'
import { TOPICS } from './topics.ts'
import { createWordPieces } from './word-pieces.ts'

const CONTINUES = '##'
const LATIN = /^[a-z0-9]+$/
const WRITTEN = /[\p{L}\p{N}\p{M}]+/gu
const BROKEN_WORD = 0.3
const MARK = /^[^\p{L}\p{N}]+$/u

/** What a piece is: the end of a word, punctuation, or the beginning of a word. */
const [END, PUNCTUATION, FOREIGN, ENGLISH] = [0, 1, 2, 3]

/** Turns text into vectors whose dot product tells how near two texts are in meaning. */
export interface StaticEmbedder {
  /** The table and its revision. Vectors of two ids must not be compared. */
  readonly id: string
  readonly dimensions: number
  /**
   * A new vector that points where the text's meaning is. It is as long as the share of the words
   * that are understood: one for plain English, all zero when nothing is known. Never throws.
   */
  embed(text: string): Float32Array
  /** The vectors whose sum, brought to length one, is `embed(text)`: for explanations. */
  pieces(text: string): readonly EmbeddedPiece[]
  /** What people ask about and few tools serve: a query nearer to a topic than to any tool. */
  readonly topics: readonly string[]
}

export interface EmbeddedPiece {
  /** As in the vocabulary: `##ing` continues the piece before it. */
  readonly text: string
  readonly vector: Float32Array
}

/**
 * An embedder over the bytes of a table file. Keeps the bytes and does not change them.
 * Throws `StaticTableError` when they are not a table.
 */
export function createStaticEmbedder(bytes: Uint8Array): StaticEmbedder {
  const { id, dimensions, pieces, scales, values } = readStaticTable(bytes)
  const rowsOf = createWordPieces(new Map(pieces.map((piece, row) => [piece, row])))
  const kinds = Uint8Array.from(pieces, kindOf)

  return {
    id,
    dimensions,
    topics: TOPICS,
    embed(text) {
      const rows = rowsOf(text)
      const sum = new Float32Array(dimensions)
      for (const row of rows) addRow(row, sum)
      return ofLength(sum, understood(text, rows))
    },
    pieces(text) {
      return rowsOf(text).map((row) => {
        const vector = new Float32Array(dimensions)
        addRow(row, vector)
        return { text: pieces[row]!, vector }
      })
    },
  }

  /**
   * The share of the words that the table knows. It was taught English: a word that has to be spelt
   * from pieces counts little, and one in another script not at all.
   */
  function understood(text: string, rows: readonly number[]): number {
    let words = 0
    let known = 0
    for (let at = 0; at < rows.length; at++) {
      const kind = kinds[rows[at]!]!
      if (kind < FOREIGN) continue
      words++
      if (kind === ENGLISH) known += kinds[rows[at + 1]!] === END ? BROKEN_WORD : 1
    }
    // words that cannot be spelt at all have no rows
    const written = text.match(WRITTEN)?.length ?? 0
    return known / Math.max(words, written, 1)
  }

  function addRow(row: number, sum: Float32Array): void {
    const scale = scales[row]!
    const from = row * dimensions
    for (let i = 0; i < dimensions; i++) sum[i]! += scale * values[from + i]!
  }
}

function kindOf(piece: string): number {
  if (piece.startsWith(CONTINUES)) return END
  if (LATIN.test(piece)) return ENGLISH
  return MARK.test(piece) ? PUNCTUATION : FOREIGN
}

/** Brings a vector to a length, in its place. */
function ofLength(vector: Float32Array, length: number): Float32Array {
  let square = 0
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!
  if (square === 0) return vector
  const scale = length / Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}
