/**
 * Synchronous access to the vectors of texts: a table in memory, or a cache that is filled in the
 * background. Texts with similar meanings have vectors with similar directions. The length of a
 * vector is the share of the text that the embedder understands, from 0 to 1.
 */
export interface TextVectors {
  readonly id: string
  /** 0 if it is not known before the first vector arrives. */
  readonly dimensions: number
  /**
   * Compare vectors after subtracting the mean of all documents. With some models, all vectors point
   * in nearly the same direction, and only the difference from the mean tells texts apart.
   * @default false
   */
  readonly centred?: boolean
  /**
   * Returns undefined if the vector is not available yet. The vector of a document is then requested
   * in the background and reported to `onVector`; the vector of a query has to be prepared.
   */
  embed(text: string, kind?: 'query' | 'document'): Float32Array | undefined
  /**
   * Fetches the vector of a query, so that `embed` can return it. Never rejects. Absent if every
   * vector is available immediately.
   */
  prepare?(text: string): Promise<void>
  /** Calls the listener with each text whose vector has become available. Returns an unsubscribe function. */
  onVector?(listener: (text: string) => void): () => void
  /**
   * The pieces of a text whose vectors add up to the direction of its own vector: they explain a
   * similarity. Pieces with the same text have the same vector.
   */
  pieces?(text: string): readonly { readonly text: string; readonly vector: Float32Array }[]
  /** Subjects that few tools cover: a query closer to a topic than to any tool probably has no match. */
  readonly topics?: readonly string[]
}

/** An embedding model, local or remote. */
export interface Embedder {
  /** Model, revision and dimensions. Only vectors with the same id are comparable. */
  readonly id: string
  /** Vectors of any other length are rejected. @default the length of the first vector */
  readonly dimensions?: number
  /** @default 96 */
  readonly maxBatch?: number
  /** See `TextVectors`. @default false */
  readonly centred?: boolean
  /** The share of a text that the model understands, from 0 to 1. Must not throw. @default 1 for any text */
  knownShare?(text: string): number
  /** Returns one vector per text, in order. May reject, and should observe the signal. */
  embed(
    texts: readonly string[],
    options: { readonly kind: 'query' | 'document'; readonly signal?: AbortSignal },
  ): Promise<ArrayLike<number>[]>
}
