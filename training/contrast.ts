import { createAdam } from './adam.ts'
import { chooseBatches } from './choose-batches.ts'
import { multiply, transpose } from './multiply.ts'
import { createRandom } from './random.ts'
import { type Rows, type Student, sumRows } from './train.ts'

/** A request and the tool that serves it, as rows of the table. */
export interface RowPair {
  readonly source: string
  /** Pairs with the same request or the same tool are not contrasted with each other. */
  readonly requestId: number
  readonly toolId: number
  readonly request: Rows
  readonly tool: Rows
}

export interface ContrastOptions {
  readonly steps: number
  /** Pairs per step; a multiple of four. */
  readonly batch: number
  /** The share of steps whose pairs are all from one source. */
  readonly fromOneSource: number
  readonly temperature: number
  /** The weight of finding the request of a tool; finding the tool of a request has the weight 1. */
  readonly reverse: number
  /** The share of pieces that each step ignores. */
  readonly dropout: number
  /** Adam's learning rate, which falls to zero. */
  readonly rate: number
  /** How much of the original table is kept in the result. */
  readonly keep: number
  readonly seed: number
}

/**
 * Moves each request closer to its own tool than to the other tools of a batch (InfoNCE). Calls
 * `report` after each step with the share of requests that were closest to their own tool.
 */
export function contrast(
  student: Student,
  pairs: readonly RowPair[],
  options: ContrastOptions,
  report: (step: number, closest: number) => void = () => {},
): void {
  const { dimensions, rows } = student
  const { steps, batch, keep } = options
  const original = rows.slice()
  const adam = createAdam(rows, dimensions)
  const nextBatch = chooseBatches(pairs, { ...options, size: batch })
  const random = createRandom(options.seed + 1)
  const requests = createSide()
  const tools = createSide()
  const forces = new Float32Array(batch * batch)
  const turned = new Float32Array(batch * batch)
  for (let step = 0; step < steps; step++) {
    const chosen = nextBatch()
    const requestRows = chosen.map(({ request }) => withDropout(request))
    const toolRows = chosen.map(({ tool }) => withDropout(tool))
    embed(requestRows, requests)
    embed(toolRows, tools)
    multiply(requests.vectors, tools.vectors, forces, dimensions)
    const closest = toForces(forces, chosen, options)
    transpose(forces, turned, batch)
    multiply(forces, tools.columns, requests.gradients, batch)
    multiply(turned, requests.columns, tools.gradients, batch)
    passBack(requestRows, requests)
    passBack(toolRows, tools)
    adam.step(options.rate * (1 - step / steps))
    report(step + 1, closest / batch)
  }
  for (let at = 0; at < rows.length; at++) {
    rows[at] = (1 - keep) * rows[at]! + keep * original[at]!
  }

  function createSide(): Side {
    const create = () => new Float32Array(batch * dimensions)
    return {
      vectors: create(),
      columns: create(),
      gradients: create(),
      lengths: new Float32Array(batch),
    }
  }

  function withDropout(text: Rows): Rows {
    const kept = text.filter(() => random() >= options.dropout)
    return kept.length > 0 ? kept : text
  }

  function embed(texts: readonly Rows[], { vectors, columns, lengths }: Side): void {
    texts.forEach((text, i) => {
      lengths[i] = sumRows(student, text, rowOf(vectors, i))
    })
    transpose(vectors, columns, dimensions)
  }

  /** Adds the gradients of the normalised sums to the rows of each text. */
  function passBack(texts: readonly Rows[], { vectors, gradients, lengths }: Side): void {
    texts.forEach((text, i) => {
      const length = lengths[i]!
      if (length === 0) return
      const vector = rowOf(vectors, i)
      const gradient = rowOf(gradients, i)
      let along = 0
      for (let k = 0; k < dimensions; k++) along += gradient[k]! * vector[k]!
      for (let k = 0; k < dimensions; k++) {
        gradient[k] = (gradient[k]! - along * vector[k]!) / length
      }
      for (const row of text) adam.add(row, gradient)
    })
  }

  function rowOf(matrix: Float32Array, row: number): Float32Array {
    return matrix.subarray(row * dimensions, (row + 1) * dimensions)
  }
}

/** The requests or the tools of a batch. */
interface Side {
  readonly vectors: Float32Array
  /** The vectors transposed. */
  readonly columns: Float32Array
  readonly gradients: Float32Array
  /** The lengths of the vectors before they were normalised. */
  readonly lengths: Float32Array
}

/**
 * Replaces the similarities of requests and tools by the slopes of the loss. Returns how many
 * requests are closest to their own tool.
 */
function toForces(
  similar: Float32Array,
  chosen: readonly RowPair[],
  { temperature, reverse }: ContrastOptions,
): number {
  const size = chosen.length
  const ofRequest = new Float64Array(size)
  const ofTool = new Float64Array(size)
  let closest = 0
  for (let i = 0; i < size; i++) {
    const { requestId, toolId } = chosen[i]!
    const own = similar[i * size + i]!
    let isClosest = true
    for (let j = 0; j < size; j++) {
      const at = i * size + j
      const other = chosen[j]!
      if (i !== j && (other.requestId === requestId || other.toolId === toolId)) {
        similar[at] = 0
        continue
      }
      if (i !== j && similar[at]! >= own) isClosest = false
      // Cosines are at most 1, so this never overflows.
      similar[at] = Math.exp((similar[at]! - 1) / temperature)
      ofRequest[i]! += similar[at]!
      ofTool[j]! += similar[at]!
    }
    if (isClosest) closest++
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const at = i * size + j
      similar[at] = similar[at]! * (1 / ofRequest[i]! + reverse / ofTool[j]!)
    }
    similar[i * size + i]! -= 1 + reverse
  }
  return closest
}
