import { createWordPieces } from 'toolsearch-semantics'
import { HEAD_WIDTH } from './attend-function.ts'
import { createEngine } from './engine.ts'
import { createMatrixProduct } from './matrix-product.ts'
import type { Model } from './model-file.ts'
import type { Layer, Norm } from './model-layout.ts'
import { gelu, normaliseSum, pool } from './vector-steps.ts'

/** Turns texts into vectors of length one whose dot product is the similarity of the texts. */
export interface SentenceEncoder {
  readonly id: string
  readonly dimensions: number
  /** Several short texts together take less time than one after the other. */
  encode(texts: readonly string[]): Float32Array[]
}

/** The number of word pieces that are computed together. */
const MAX_BATCH = 256

/** Runs a BERT model. It copies the numbers of the model into the memory of its engine. */
export function createSentenceEncoder({
  shape,
  layout,
  numbers,
  vocabulary,
}: Model): SentenceEncoder {
  const { width, inner } = shape
  const rowsOf = createWordPieces(new Map(vocabulary.map((piece, row) => [piece, row])))
  const [start, end] = [vocabulary.indexOf('[CLS]'), vocabulary.indexOf('[SEP]')]

  let free = aligned(numbers.length)
  const room = (bytes: number) => {
    free += aligned(bytes)
    return free - aligned(bytes)
  }
  const hidden = room(4 * MAX_BATCH * width)
  const wide = room(4 * MAX_BATCH * Math.max(inner, 3 * width))
  const context = room(4 * MAX_BATCH * width)
  const quantised = room(2 * MAX_BATCH * Math.max(inner, width))
  const scales = room(4 * MAX_BATCH)
  const scores = room(4 * MAX_BATCH + 16)
  const engine = createEngine(width, free)
  new Uint8Array(engine.memory.buffer).set(numbers)
  const floats = new Float32Array(engine.memory.buffer)
  const int8 = new Int8Array(engine.memory.buffer)
  const multiply = createMatrixProduct(engine, { quantised, scales })

  return {
    id: shape.id,
    dimensions: width,
    encode(texts) {
      const lists = texts.map((text) => [start, ...rowsOf(text).slice(0, shape.positions - 2), end])
      const vectors: Float32Array[] = []
      for (let from = 0; from < lists.length; ) {
        const batch = nextBatch(lists, from)
        vectors.push(...encodeBatch(batch))
        from += batch.length
      }
      return vectors
    },
  }

  function encodeBatch(lists: readonly (readonly number[])[]): Float32Array[] {
    const ends: number[] = []
    let count = 0
    for (const list of lists) {
      for (const [position, piece] of list.entries()) embedPiece(piece, position, count++)
      ends.push(count)
    }
    normalise(hidden, hidden, count, layout.embeddingNorm, false)
    for (const layer of layout.layers) applyLayer(layer, ends, count)
    return ends.map((to, at) =>
      pool(floats.subarray(hidden / 4), at === 0 ? 0 : ends[at - 1]!, to, width),
    )
  }

  function embedPiece(piece: number, position: number, at: number): void {
    const scale = floats[layout.pieceScales / 4 + piece]!
    const row = layout.pieces + piece * width
    const place = layout.positions / 4 + position * width
    const to = hidden / 4 + at * width
    for (let i = 0; i < width; i++) floats[to + i] = int8[row + i]! * scale + floats[place + i]!
  }

  function applyLayer(layer: Layer, ends: readonly number[], count: number): void {
    multiply(hidden, layer.attention, wide, count)
    let from = 0
    for (const to of ends) {
      attend(from, to)
      from = to
    }
    multiply(context, layer.attentionOutput, wide, count)
    normalise(wide, hidden, count, layer.attentionNorm)
    multiply(hidden, layer.widen, wide, count)
    gelu(floats, wide / 4, wide / 4 + count * inner)
    multiply(wide, layer.narrow, context, count)
    normalise(context, hidden, count, layer.outputNorm)
  }

  function attend(from: number, to: number): void {
    const rowBytes = 12 * width
    for (let head = 0; head < width / HEAD_WIDTH; head++) {
      const offset = 4 * head * HEAD_WIDTH
      engine.attend(
        wide + from * rowBytes + offset,
        wide + to * rowBytes + offset,
        context + from * 4 * width + offset,
        scores,
        scores + 4 * (to - from),
      )
    }
  }

  /** Normalises each vector at `to`, after adding the one at `added` to it if `isSum`. */
  function normalise(added: number, to: number, count: number, norm: Norm, isSum = true): void {
    for (let at = 0; at < count; at++) {
      const offset = at * width
      normaliseSum(floats, added / 4 + offset, to / 4 + offset, width, norm.start / 4, isSum)
    }
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16
}

function nextBatch<T extends readonly unknown[]>(lists: readonly T[], from: number): readonly T[] {
  let to = from
  for (let pieces = 0; to < lists.length; to++) {
    pieces += lists[to]!.length
    if (pieces > MAX_BATCH) break
  }
  return lists.slice(from, Math.max(to, from + 1))
}
