import { MAX_LENGTH, type ReadQuery } from '../query/parse-query.ts'
import { trimEdges } from '../query/trim-edges.ts'

/** What Rust counts as whitespace and as alphanumeric differs from `\s` and `\w`. */
const SPACE = /\p{White_Space}/u
const NOT_ALPHANUMERIC = /[^\p{Alphabetic}\p{N}]/u

/**
 * Reads a query as the systems do that are written in Rust: words, and nothing else.
 *
 * @param punctuation whether to remove it around words
 */
export function rustQueryReader(punctuation: 'strip' | 'keep'): ReadQuery {
  return (query) => {
    const text = trimEdges(query.slice(0, MAX_LENGTH).toWellFormed(), SPACE)
    const terms = text
      .split(SPACE)
      .map((word) => (punctuation === 'strip' ? trimAlphanumeric(word) : word).toLowerCase())
      .filter(Boolean)
    if (terms.length === 0) return { kind: 'blank', text }
    return { kind: 'words', text, name: trimAlphanumeric(text), terms, required: [] }
  }
}

/** The part of a text without punctuation around it. */
export function trimAlphanumeric(text: string): string {
  return trimEdges(text, NOT_ALPHANUMERIC)
}
