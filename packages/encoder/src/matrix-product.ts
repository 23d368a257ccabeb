import type { Engine } from './engine.ts'
import type { Matrix } from './model-layout.ts'
import { GROUP_HEADER, GROUP_OUTPUTS, MAX_TOGETHER } from './multiply-function.ts'

/** Multiplies the vectors of `count` word pieces by a matrix. Inputs and results are addresses of floats. */
export type MatrixProduct = (inputs: number, matrix: Matrix, results: number, count: number) => void

export interface MatrixProductMemory {
  /** Room for the inputs as 16-bit numbers. */
  readonly quantised: number
  /** Room for one float per word piece. */
  readonly scales: number
}

const MAX_INT16 = 2 ** 15 - 1
const MAX_SUM = 2 ** 31 - 1
const MAX_BYTE = 127
/** What fits the second-level cache of nearly every processor. */
const CACHE_BYTES = 2 ** 17

export function createMatrixProduct(
  { memory, multiply }: Engine,
  { quantised, scales }: MatrixProductMemory,
): MatrixProduct {
  const floats = new Float32Array(memory.buffer)
  const int16 = new Int16Array(memory.buffer)

  return (inputs, matrix, results, count) => {
    quantise(inputs, matrix.inputs, count)
    const resultBytes = 4 * matrix.outputs
    const groupBytes = GROUP_HEADER + GROUP_OUTPUTS * matrix.inputs
    // All word pieces use some weights before the next ones are read, because memory is slow.
    const groups = Math.max(1, Math.floor(CACHE_BYTES / groupBytes))
    let column = 0
    for (let start = matrix.start; start < matrix.end; start += groups * groupBytes) {
      const end = Math.min(matrix.end, start + groups * groupBytes)
      for (let from = 0; from < count; from += MAX_TOGETHER) {
        const together = Math.min(MAX_TOGETHER, count - from)
        const block = quantised + 2 * from * matrix.inputs
        const blockEnd = block + 2 * together * matrix.inputs
        const result = results + from * resultBytes + column
        multiply[together]!(block, blockEnd, start, end, result, resultBytes, scales + 4 * from)
      }
      column += 4 * GROUP_OUTPUTS * groups
    }
  }

  /** Converts floats to 16-bit numbers with one scale per word piece, in the order `multiply` expects. */
  function quantise(inputs: number, length: number, count: number): void {
    // As fine as possible without overflowing the 32-bit sum.
    const steps = Math.min(MAX_INT16, Math.floor(MAX_SUM / MAX_BYTE / length))
    for (let at = 0; at < count; at++) {
      const first = at - (at % MAX_TOGETHER)
      const together = Math.min(MAX_TOGETHER, count - first)
      const from = inputs / 4 + at * length
      const largest = largestOf(floats, from, from + length)
      const scale = largest === 0 ? 0 : steps / largest
      let to = quantised / 2 + first * length + 2 * (at - first)
      for (let i = from; i < from + length; i += 2) {
        // Cuts off instead of rounding: with thousands of steps, that makes no difference.
        int16[to] = floats[i]! * scale
        int16[to + 1] = floats[i + 1]! * scale
        to += 2 * together
      }
      floats[scales / 4 + at] = largest / steps
    }
  }
}

function largestOf(floats: Float32Array, from: number, to: number): number {
  let largest = 0
  for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs(floats[i]!))
  return largest
}
