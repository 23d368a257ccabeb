/**
 * Texts as vectors that are there at once: a table in memory, or a cache that is filled elsewhere.
 * A vector points where the text's meaning is. It is of length one, or shorter the less of the
 * text is understood, down to all zero.
 */
export interface TextVectors {
  readonly id: string
  readonly dimensions: number
  /**
   * Undefined for a text whose vector is not there yet. That of a document is then asked for, and
   * `onVector` tells when it comes; that of a query has to be prepared.
   */
  embed(text: string, kind?: 'query' | 'document'): Float32Array | undefined
  /** Gets the vector of a query, where that takes time. Never rejects. */
  prepare?(text: string): Promise<void>
  /** Tells of a text whose vector was not there before and is now. Returns how to stop. */
  onVector?(listener: (text: string) => void): () => void
  /**
   * The pieces of a text whose vectors add up to the direction of its own vector: they explain a
   * similarity. Pieces of the same text have the same vector.
   */
  pieces?(text: string): readonly { readonly text: string; readonly vector: Float32Array }[]
  /** What people ask about, mostly no matter for tools: a query nearer to it is probably not served. */
  readonly topics?: readonly string[]
}

/** A model that turns texts into vectors, near or far. */
export interface Embedder {
  /** Model, revision and dimensions: vectors are kept by it. */
  readonly id: string
  /** A vector of another length is refused. */
  readonly dimensions: number
  /** @default 96 */
  readonly maxBatch?: number
  /** One vector for each text, in order. May reject, and should heed the signal. */
  embed(
    texts: readonly string[],
    options: { readonly kind: 'query' | 'document'; readonly signal?: AbortSignal },
  ): Promise<ArrayLike<number>[]>
}
