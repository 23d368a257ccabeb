import { enlarge } from './enlarge.ts'
import type { Postings } from './inverted-index.ts'

/** Adds up the weights of the terms of one document after another, in arrays that it reuses. */
export interface TermWeights extends Postings {
  /** Starts the next document. */
  clear(): void
  add(term: number, weight: number): void
  /** Marks a term of the document as part of the tool's name. Returns whether it was not yet marked. */
  markAsName(term: number): boolean
}

export function createTermWeights(): TermWeights {
  let count = 0
  let terms = new Int32Array(64)
  let weights = new Float64Array(64)
  /** By term: its position in `terms` + 1; 0 for a term that the document does not contain. */
  let positions = new Int32Array(256)

  return {
    get count() {
      return count
    },
    get terms() {
      return terms
    },
    get weights() {
      return weights
    },
    clear() {
      for (let at = 0; at < count; at++) positions[terms[at]!] = 0
      count = 0
    },
    add(term, weight) {
      if (term >= positions.length) positions = enlarge(positions, new Int32Array(2 * term))
      const position = positions[term]!
      if (position > 0) {
        weights[position - 1]! += weight
        return
      }
      if (count === terms.length) {
        terms = enlarge(terms, new Int32Array(2 * count))
        weights = enlarge(weights, new Float64Array(2 * count))
      }
      terms[count] = term
      weights[count] = weight
      positions[term] = ++count
    },
    markAsName(term) {
      const at = (positions[term] ?? 0) - 1
      if (at < 0 || weights[at]! < 0) return false
      weights[at] = -weights[at]!
      return true
    },
  }
}
