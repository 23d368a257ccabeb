import { readStaticTable } from './table-format.ts'
import { TOPICS } from './topics.ts'
import { createWordPieces } from './word-pieces.ts'

const CONTINUES = '##'
const LATIN = /^[a-z0-9]+$/
const WRITTEN = /[\p{L}\p{N}\p{M}]+/gu
const NOT_ASCII = /[^\0-\x7f]/
const LETTERS = /\p{L}/gu
const ASCII_LETTERS = /[A-Za-z]/g
const SPLIT_WORD_WEIGHT = 0.3
const MARK = /^[^\p{L}\p{N}]+$/u

/** A piece continues a word, is punctuation, or begins a word in another script or in English. */
const [CONTINUATION, PUNCTUATION, FOREIGN, ENGLISH] = [0, 1, 2, 3]

/** Turns texts into vectors whose dot product is the semantic similarity of the texts. */
export interface StaticEmbedder {
  /** The table and its revision. Vectors with different ids must not be compared. */
  readonly id: string
  readonly dimensions: number
  /**
   * Returns a new vector. Its length is the share of the words that the table contains: 1 for plain
   * English, 0 if it contains none. A query that is mostly in another script has length 0, too: what it
   * contains of English are names of files and products, which say little. Never throws.
   */
  embed(text: string, kind?: 'query' | 'document'): Float32Array
  /**
   * The pieces whose vectors add up to the direction of `embed(text)`. Used to explain similarities.
   */
  pieces(text: string): readonly EmbeddedPiece[]
  /** Subjects that few tools cover: a query closer to a topic than to any tool probably has no match. */
  readonly topics: readonly string[]
}

export interface EmbeddedPiece {
  /** As in the vocabulary: `##ing` continues the preceding piece. */
  readonly text: string
  readonly vector: Float32Array
}

/**
 * Creates an embedder from the bytes of a table file. It keeps the bytes and does not change them.
 * @throws StaticTableError if the bytes are not a table
 */
export function createStaticEmbedder(bytes: Uint8Array): StaticEmbedder {
  const { id, dimensions, pieces, scales, values } = readStaticTable(bytes)
  const rowsOf = createWordPieces(new Map(pieces.map((piece, row) => [piece, row])))
  const kinds = Uint8Array.from(pieces, kindOf)

  return {
    id,
    dimensions,
    topics: TOPICS,
    embed(text, kind) {
      const sum = new Float32Array(dimensions)
      if (kind === 'query' && isMostlyForeign(text)) return sum
      const rows = rowsOf(text)
      for (const row of rows) addRow(row, sum)
      return scaleTo(sum, knownShare(text, rows))
    },
    pieces: (text) => rowsOf(text).map(pieceOf),
  }

  function pieceOf(row: number): EmbeddedPiece {
    return {
      text: pieces[row]!,
      // Computed on access, so that code which keeps pieces does not keep their vectors.
      get vector() {
        const vector = new Float32Array(dimensions)
        addRow(row, vector)
        return vector
      },
    }
  }

  /**
   * The share of the words that the table contains. It was trained on English: a word that has to be
   * spelled with several pieces counts little, and a word in another script does not count.
   */
  function knownShare(text: string, rows: readonly number[]): number {
    let words = 0
    let known = 0
    for (let at = 0; at < rows.length; at++) {
      const kind = kinds[rows[at]!]!
      if (kind < FOREIGN) continue
      words++
      if (kind === ENGLISH) known += kinds[rows[at + 1]!] === CONTINUATION ? SPLIT_WORD_WEIGHT : 1
    }
    // Words that the vocabulary cannot spell have no rows.
    const written = text.match(WRITTEN)?.length ?? 0
    return known / Math.max(words, written, 1)
  }

  function addRow(row: number, sum: Float32Array): void {
    const scale = scales[row]!
    const from = row * dimensions
    for (let i = 0; i < dimensions; i++) sum[i]! += scale * values[from + i]!
  }
}

/** Whether fewer than half of the letters are ASCII. */
function isMostlyForeign(text: string): boolean {
  if (!NOT_ASCII.test(text)) return false
  const letters = text.match(LETTERS)?.length ?? 0
  const ascii = text.match(ASCII_LETTERS)?.length ?? 0
  return 2 * ascii < letters
}

function kindOf(piece: string): number {
  if (piece.startsWith(CONTINUES)) return CONTINUATION
  if (LATIN.test(piece)) return ENGLISH
  return MARK.test(piece) ? PUNCTUATION : FOREIGN
}

/** Scales a vector in place. */
function scaleTo(vector: Float32Array, length: number): Float32Array {
  let square = 0
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!
  if (square === 0) return vector
  const scale = length / Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}
