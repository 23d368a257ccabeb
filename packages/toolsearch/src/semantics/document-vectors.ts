import { centreOf, centreQuery, type VectorSum } from './centring.ts'
import type { TextVectors } from './embedder.ts'
import { createVectorIndex, type VectorIndex } from './vector-index.ts'
import { scaledTo } from './vector-math.ts'

/** The texts of a document that are embedded. */
export interface DocumentTexts {
  /** The whole text, without the parameters. */
  readonly whole: string
  readonly name: string
  readonly parameters: string
}

/** The vectors of documents by slot, including those that arrive later. */
export interface DocumentVectors {
  set(slot: number, texts: DocumentTexts): void
  delete(slot: number): void
  /** Whether the vector of a slot has arrived. */
  has(slot: number): boolean
  /** The number of slots whose vectors have not arrived yet. */
  readonly missing: number
  /** The vectors of all documents, added up. Undefined if they are not compared relative to their mean. */
  readonly sum: VectorSum | undefined
  /**
   * See `VectorIndex`. If the vectors are `centred`, the similarity is relative to the mean of the
   * documents, or of those in `sum`: a layer of few documents uses the sum of the layer below.
   */
  similarity(vector: Float32Array, buffer?: Float32Array, sum?: VectorSum): Float32Array
}

export interface DocumentVectorsOptions {
  readonly vectors: TextVectors
  /** How much the name and the parameters count in addition to the whole text. */
  readonly weights: { readonly name: number; readonly parameters: number }
  /** Called when a vector has arrived. */
  readonly onArrival: () => void
}

export function createDocumentVectors({
  vectors,
  weights,
  onArrival,
}: DocumentVectorsOptions): DocumentVectors {
  // The number of dimensions may be unknown until the first vector arrives.
  let index: VectorIndex | undefined
  let size = 0
  const present = new Set<number>()
  /** The text whose vector a slot waits for, and the slots that wait for a text. */
  const awaited = new Map<number, string>()
  const waiting = new Map<string, Set<number>>()
  let unsubscribe: (() => void) | undefined
  const total = { sum: new Float64Array(), count: 0 }
  /** The mean of the documents and their similarities to it, until a document changes. */
  let known: { centre: Float32Array; toCentre: Float32Array } | undefined

  return {
    get missing() {
      return awaited.size
    },
    get sum() {
      return vectors.centred ? total : undefined
    },
    has: (slot) => present.has(slot),
    set(slot, texts) {
      remove(slot)
      const vector = vectors.prepare ? vectors.embed(texts.whole) : emphasised(texts)
      if (vector) return place(slot, vector)
      awaited.set(slot, texts.whole)
      waiting.set(texts.whole, (waiting.get(texts.whole) ?? new Set()).add(slot))
      unsubscribe ??= subscribeWeakly(vectors, arrive)
    },
    delete: remove,
    similarity(vector, buffer, sum = total) {
      const rows = indexFor(vector)
      if (!vectors.centred || sum.count === 0) return rows.similarity(vector, buffer)
      const { centre, toCentre } = centreFor(sum)
      const query = centreQuery(vector, centre)
      const similarity = rows.similarity(query.shifted, buffer)
      for (let slot = 0; slot < similarity.length; slot++) {
        similarity[slot] = present.has(slot)
          ? query.similarity(similarity[slot]!, toCentre[slot]!)
          : 0
      }
      return similarity
    },
  }

  function indexFor(vector: Float32Array): VectorIndex {
    index ??= createVectorIndex(vector.length)
    if (size > 0 && !present.has(size - 1)) index.delete(size - 1)
    return index
  }

  function place(slot: number, vector: Float32Array): void {
    indexFor(vector).set(slot, scaledTo(1, vector))
    present.add(slot)
    addToSum(slot, 1)
  }

  function remove(slot: number): void {
    size = Math.max(size, slot + 1)
    stopWaiting(slot)
    if (!present.has(slot)) return
    addToSum(slot, -1)
    present.delete(slot)
    index!.delete(slot)
  }

  function addToSum(slot: number, factor: number): void {
    if (!vectors.centred) return
    known = undefined
    // What the index has stored, so that a document that is removed leaves nothing in the sum.
    const vector = index!.get(slot)
    if (total.sum.length === 0) total.sum = new Float64Array(vector.length)
    for (let i = 0; i < vector.length; i++) total.sum[i]! += factor * vector[i]!
    total.count += factor
  }

  function centreFor(sum: VectorSum): NonNullable<typeof known> {
    if (sum === total && known) return known
    const centre = centreOf(sum)
    const found = { centre, toCentre: index!.similarity(centre) }
    if (sum === total) known = found
    return found
  }

  function arrive(text: string): void {
    onArrival()
    const vector = vectors.embed(text)
    for (const slot of waiting.get(text) ?? []) {
      awaited.delete(slot)
      if (vector) place(slot, vector)
    }
    waiting.delete(text)
    if (awaited.size > 0) return
    unsubscribe?.()
    unsubscribe = undefined
  }

  function stopWaiting(slot: number): void {
    const text = awaited.get(slot)
    if (text === undefined) return
    awaited.delete(slot)
    const slots = waiting.get(text)
    slots?.delete(slot)
    if (slots?.size === 0) waiting.delete(text)
  }

  // Embedding three texts is only affordable where vectors are computed locally. It keeps a long
  // description from drowning out the name and the parameters.
  function emphasised({ whole, name, parameters }: DocumentTexts): Float32Array | undefined {
    const vector = vectors.embed(whole)
    if (vector === undefined) return undefined
    const sum = scaledTo(1, vector)
    const parts = [
      [name, weights.name],
      [parameters, weights.parameters],
    ] as const
    for (const [text, weight] of parts) {
      const part = scaledTo(1, vectors.embed(text) ?? new Float32Array(sum.length))
      for (let i = 0; i < sum.length; i++) sum[i]! += weight * part[i]!
    }
    return sum
  }
}

/**
 * The vectors may outlive the documents: those of one conversation are dropped with it, whether or
 * not their vectors have arrived. So the subscription must not keep them in memory.
 */
function subscribeWeakly(
  vectors: TextVectors,
  listener: (text: string) => void,
): (() => void) | undefined {
  const weak = new WeakRef(listener)
  const unsubscribe = vectors.onVector?.((text) => {
    const current = weak.deref()
    if (current) current(text)
    else unsubscribe?.()
  })
  return unsubscribe
}
