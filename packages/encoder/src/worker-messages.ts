/** What the encoder's worker is asked to do. */
export interface EncodeRequest {
  readonly id: number
  /** Queries go first: somebody waits for them. */
  readonly kind: 'query' | 'document'
  readonly texts: readonly string[]
}

/** Nobody waits for the answer to a request any more. */
export interface CancelRequest {
  readonly id: number
  readonly kind: 'cancel'
}

/** What the worker reports. */
export type WorkerReport =
  | { readonly kind: 'ready'; readonly model: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Float32Array[] }
  /** The weights cannot be used, and trying again would not help. */
  | { readonly kind: 'unusable'; readonly message: string }
