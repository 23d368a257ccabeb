import { GROUP_HEADER, GROUP_OUTPUTS } from './multiply-function.ts'

/** The shape of a BERT model. */
export interface ModelShape {
  /** Model and revision. Vectors with different ids must not be compared. */
  readonly id: string
  readonly layers: number
  /** The length of a vector. */
  readonly width: number
  /** The length of the vectors inside a layer's feed-forward part. */
  readonly inner: number
  /** The number of word pieces in the vocabulary. */
  readonly vocabulary: number
  /** The maximum number of word pieces in a text, with those that mark its start and end. */
  readonly positions: number
}

/** A matrix with its bias, in the format of `multiplyFunction`. */
export interface Matrix {
  readonly start: number
  readonly end: number
  readonly inputs: number
  readonly outputs: number
}

/** The factors of a layer normalisation, followed by its offsets. */
export interface Norm {
  readonly start: number
}

export interface Layer {
  /** Query, key and value in one. */
  readonly attention: Matrix
  readonly attentionOutput: Matrix
  readonly attentionNorm: Norm
  readonly widen: Matrix
  readonly narrow: Matrix
  readonly outputNorm: Norm
}

/** Where everything is, in the file and in memory, as offsets from the first byte after the header. */
export interface ModelLayout {
  readonly layers: readonly Layer[]
  readonly embeddingNorm: Norm
  /** Floats, one vector per position. */
  readonly positions: number
  /** Floats, one scale per word piece. */
  readonly pieceScales: number
  /** Bytes, one vector per word piece. */
  readonly pieces: number
  /** The end of the numbers. The vocabulary follows. */
  readonly end: number
}

export function layOut(shape: ModelShape): ModelLayout {
  const { width, inner } = shape
  let at = 0
  const layers = Array.from({ length: shape.layers }, () => ({
    attention: matrix(width, 3 * width),
    attentionOutput: matrix(width, width),
    attentionNorm: norm(),
    widen: matrix(width, inner),
    narrow: matrix(inner, width),
    outputNorm: norm(),
  }))
  return {
    layers,
    embeddingNorm: norm(),
    positions: take(4 * shape.positions * width),
    pieceScales: take(4 * shape.vocabulary),
    pieces: take(shape.vocabulary * width),
    end: at,
  }

  function take(bytes: number): number {
    at += bytes
    return at - bytes
  }

  function matrix(inputs: number, outputs: number): Matrix {
    const groupBytes = GROUP_HEADER + GROUP_OUTPUTS * inputs
    const start = take((outputs / GROUP_OUTPUTS) * groupBytes)
    return { start, end: at, inputs, outputs }
  }

  function norm(): Norm {
    return { start: take(8 * width) }
  }
}
