import type { TextVectors } from './embedder.ts'
import { createVectorIndex } from './vector-index.ts'
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
  /** See `VectorIndex`. */
  similarity(vector: Float32Array, buffer?: Float32Array): Float32Array
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
  const index = createVectorIndex(vectors.dimensions)
  /** The text whose vector a slot waits for, and the slots that wait for a text. */
  const awaited = new Map<number, string>()
  const waiting = new Map<string, Set<number>>()
  let unsubscribe: (() => void) | undefined

  return {
    set(slot, texts) {
      stopWaiting(slot)
      const vector = vectors.prepare ? vectors.embed(texts.whole) : emphasised(texts)
      if (vector) return index.set(slot, scaledTo(1, vector))
      index.delete(slot)
      awaited.set(slot, texts.whole)
      waiting.set(texts.whole, (waiting.get(texts.whole) ?? new Set()).add(slot))
      unsubscribe ??= subscribeWeakly(vectors, arrive)
    },
    delete(slot) {
      stopWaiting(slot)
      index.delete(slot)
    },
    similarity: index.similarity,
  }

  function arrive(text: string): void {
    onArrival()
    const vector = vectors.embed(text)
    for (const slot of waiting.get(text) ?? []) {
      awaited.delete(slot)
      if (vector) index.set(slot, scaledTo(1, vector))
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
