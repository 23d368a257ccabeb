import { dot, lengthOf, scaledTo } from './vector-math.ts'

/** The vectors of documents, added up. */
export interface VectorSum {
  readonly sum: Float64Array
  readonly count: number
}

/**
 * The mean of few documents says little about the model and much about these documents, so it counts
 * in part: the more documents there are, the more.
 */
const FEW_DOCUMENTS = 16

/** The vector to subtract before comparing. */
export function centreOf({ sum, count }: VectorSum): Float32Array {
  return Float32Array.from(sum, (value) => value / (count + FEW_DOCUMENTS))
}

/** Compares a query with documents relative to a centre. Documents have length one. */
export interface CentredQuery {
  /** The vector to compare with documents, and with which `similarity` then continues. */
  readonly shifted: Float32Array
  /**
   * The cosine of query and document relative to the centre, times the length of the query; 0 if that
   * is negative.
   *
   * @param toShifted the dot product of the document and `shifted`
   * @param toCentre the dot product of the document and the centre
   */
  similarity(toShifted: number, toCentre: number): number
}

export function centreQuery(query: Float32Array, centre: Float32Array): CentredQuery {
  const unit = scaledTo(1, query)
  const square = dot(centre, centre)
  const queryToCentre = dot(unit, centre)
  const queryDistance = distance(queryToCentre)
  const scale = lengthOf(query) / (queryDistance || 1)
  return {
    // A vector index replaces negative dot products by 0. Adding the centre makes them positive.
    shifted: unit.map((value, i) => value + centre[i]!),
    similarity(toShifted, toCentre) {
      const product = toShifted - 2 * toCentre - queryToCentre + square
      const documentDistance = distance(toCentre)
      return documentDistance === 0 ? 0 : Math.max(0, (product / documentDistance) * scale)
    },
  }

  function distance(toCentre: number): number {
    return Math.sqrt(Math.max(0, 1 - 2 * toCentre + square))
  }
}
