import type { VectorSum } from '../semantics/centring.ts'
import {
  createDocumentVectors,
  type DocumentTexts,
  type DocumentVectorsOptions,
} from '../semantics/document-vectors.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { createTopics, type Topics } from '../semantics/topics.ts'
import { lengthOf, scaledTo } from '../semantics/vector-math.ts'

/** Compares queries with tools by the vectors of one embedder. */
export interface MeaningSource {
  readonly vectors: TextVectors
  /** The vectors of all tools added up. Undefined if they are not compared relative to their mean. */
  readonly sum: VectorSum | undefined
  set(slot: number, texts: DocumentTexts): void
  delete(slot: number): void
  /** Whether the vector of a slot has arrived. */
  has(slot: number): boolean
  /** How many vectors have not arrived. */
  missing(): number
  /**
   * Undefined if the embedder does not understand the query. The result is valid until the next call.
   *
   * @param others the sum of vectors in another layer
   */
  compare(text: string, others?: VectorSum): Comparison | undefined
  /** The topic that is nearest to a vector of length one; undefined if the embedder has no topics. */
  nearestTopic: Topics['nearest']
  /** The similarity of a vector to the most similar accepted tool. */
  coverage(vector: Float32Array, isAccepted?: (slot: number) => boolean): number
}

/** A query compared with every tool. */
export interface Comparison {
  readonly queryVector: Float32Array
  /** How much of the query the embedder understands, from 0 to 1. */
  readonly trust: number
  /** By slot. */
  readonly similarity: Float32Array
}

export function createMeaningSource(
  options: Omit<DocumentVectorsOptions, 'onArrival'>,
): MeaningSource {
  const { vectors } = options
  /** By topic: the similarity to the most similar tool, until a tool changes. */
  const coverages = new Map<Float32Array, number>()
  const documents = createDocumentVectors({ ...options, onArrival: () => coverages.clear() })
  const topics = topicsOf(vectors)
  // One number per tool makes these arrays long, so queries reuse them.
  let forQueries: Float32Array = new Float32Array()
  let forTopics: Float32Array = new Float32Array()

  return {
    vectors,
    get sum() {
      return documents.sum
    },
    set(slot, texts) {
      coverages.clear()
      documents.set(slot, texts)
    },
    delete(slot) {
      coverages.clear()
      documents.delete(slot)
    },
    has: documents.has,
    missing: () => documents.missing,
    compare(text, others) {
      const queryVector = vectors.embed(text, 'query')
      const trust = queryVector ? lengthOf(queryVector) : 0
      if (queryVector === undefined || trust === 0) return undefined
      const sum = joinSums(documents.sum, others)
      forQueries = documents.similarity(queryVector, forQueries, sum)
      return {
        queryVector,
        trust,
        similarity: forQueries,
      }
    },
    nearestTopic: topics.nearest,
    coverage(vector, isAccepted) {
      const known = isAccepted ? undefined : coverages.get(vector)
      if (known !== undefined) return known
      forTopics = documents.similarity(vector, forTopics)
      const found = largest(forTopics, isAccepted)
      if (!isAccepted) coverages.set(vector, found)
      return found
    },
  }
}

// A loop over all slots is a function of its own: V8 does not optimise it inside a long function.
/** The largest of the numbers whose positions are accepted, at least 0. */
export function largest(numbers: Float32Array, isAccepted?: (at: number) => boolean): number {
  let best = 0
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at]! > best && (!isAccepted || isAccepted(at))) best = numbers[at]!
  }
  return best
}

function joinSums(
  own: VectorSum | undefined,
  others: VectorSum | undefined,
): VectorSum | undefined {
  if (own === undefined || others === undefined || others.count === 0) return own
  if (own.count === 0) return others
  return {
    sum: own.sum.map((value, i) => value + others.sum[i]!),
    count: own.count + others.count,
  }
}

/** Embedding the topics takes longer than indexing the few tools of one conversation. */
const knownTopics = new WeakMap<TextVectors, Topics>()

function topicsOf(vectors: TextVectors): Topics {
  const topics =
    knownTopics.get(vectors) ??
    createTopics({
      texts: vectors.topics ?? [],
      dimensions: vectors.dimensions,
      embed: (text) => {
        const vector = vectors.embed(text)
        return vector && scaledTo(1, vector)
      },
    })
  knownTopics.set(vectors, topics)
  return topics
}
