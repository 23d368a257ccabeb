import { normalise } from './project.ts'
import { createRandom, shuffled } from './random.ts'

/** The word pieces of a text, as row numbers. The text's vector is the sum of these rows. */
export type Rows = readonly number[]

/** The table being trained: one row of `dimensions` numbers per word piece. */
export interface Student {
  readonly dimensions: number
  readonly rows: Float32Array
  /** Adagrad's sum of squared gradients for each number. */
  readonly squares: Float32Array
}

/**
 * Starts with the teachers' vectors for single pieces, so that training only has to correct them.
 * Frequent pieces are scaled down by `a / (a + frequency)`, as in SIF.
 */
export function createStudent(
  pieceVectors: Float32Array,
  dimensions: number,
  texts: readonly Rows[],
): Student {
  const rows = pieceVectors.slice()
  const counts = new Float64Array(rows.length / dimensions)
  let total = 0
  for (const row of texts.flat()) {
    counts[row]!++
    total++
  }
  for (let row = 0; row < counts.length; row++) {
    const weight = 1e-3 / (1e-3 + counts[row]! / total)
    for (let k = 0; k < dimensions; k++) rows[row * dimensions + k]! *= weight
  }
  return { dimensions, rows, squares: new Float32Array(rows.length).fill(1e-3) }
}

/** Moves the vector of each text towards its target: Adagrad on 1 − cosine. Returns the mean cosine. */
export function distilEpoch(
  student: Student,
  texts: readonly Rows[],
  targets: Float32Array,
  rate: number,
  seed: number,
): number {
  const { dimensions } = student
  const sum = new Float32Array(dimensions)
  const gradient = new Float32Array(dimensions)
  let total = 0
  let counted = 0
  const order = shuffled(
    texts.map((_, i) => i),
    createRandom(seed),
  )
  for (const text of order) {
    const rows = texts[text]!
    const length = sumRows(student, rows, sum)
    if (length === 0) continue
    const from = text * dimensions
    let cosine = 0
    for (let k = 0; k < dimensions; k++) cosine += sum[k]! * targets[from + k]!
    for (let k = 0; k < dimensions; k++) gradient[k] = cosine * sum[k]! - targets[from + k]!
    step(student, rows, gradient, rate)
    total += cosine
    counted++
  }
  return total / counted
}

/**
 * Makes one pass over pairs that moves each request closer to its own description than to the others
 * in its batch, and the reverse (InfoNCE). This teaches which words distinguish texts, which single
 * texts cannot. Returns the share of requests whose own description ranked first.
 */
export function contrastEpoch(
  student: Student,
  pairs: readonly (readonly [request: Rows, description: Rows])[],
  options: { rate: number; batch: number; temperature: number; seed: number },
): number {
  const { dimensions } = student
  const { rate, batch, temperature } = options
  student.squares.fill(0.5)
  const left = new Float32Array(batch * dimensions)
  const right = new Float32Array(batch * dimensions)
  const leftLength = new Float32Array(batch)
  const rightLength = new Float32Array(batch)
  const similar = new Float32Array(batch * batch)
  const pull = new Float32Array(batch * batch)
  const gradient = new Float32Array(dimensions)
  const order = shuffled(pairs, createRandom(options.seed))
  let first = 0
  let counted = 0
  for (let from = 0; from + batch <= order.length; from += batch) {
    for (let i = 0; i < batch; i++) {
      const [request, description] = order[from + i]!
      leftLength[i] = sumRows(student, request, left.subarray(i * dimensions, (i + 1) * dimensions))
      rightLength[i] = sumRows(
        student,
        description,
        right.subarray(i * dimensions, (i + 1) * dimensions),
      )
    }
    for (let i = 0; i < batch; i++) {
      for (let j = 0; j < batch; j++) similar[i * batch + j] = dot(left, i, right, j, dimensions)
    }
    pull.fill(0)
    for (let i = 0; i < batch; i++) {
      addSoftmax(similar, pull, i * batch, 1, batch, temperature)
      addSoftmax(similar, pull, i, batch, batch, temperature)
      let best = 0
      for (let j = 1; j < batch; j++)
        if (similar[i * batch + j]! > similar[i * batch + best]!) best = j
      if (best === i) first++
      pull[i * batch + i]! -= 2
    }
    counted += batch
    for (let i = 0; i < batch; i++) {
      for (const [own, other, lengths, stride, base, rows] of [
        [left, right, leftLength, 1, i * batch, order[from + i]![0]],
        [right, left, rightLength, batch, i, order[from + i]![1]],
      ] as const) {
        if (lengths[i] === 0) continue
        gradient.fill(0)
        for (let j = 0; j < batch; j++) {
          const force = pull[base + j * stride]!
          if (force < 1e-3 && force > -1e-3) continue
          const at = j * dimensions
          for (let k = 0; k < dimensions; k++) gradient[k]! += force * other[at + k]!
        }
        let along = 0
        for (let k = 0; k < dimensions; k++) along += gradient[k]! * own[i * dimensions + k]!
        for (let k = 0; k < dimensions; k++) gradient[k]! -= along * own[i * dimensions + k]!
        step(student, rows, gradient, rate)
      }
    }
  }
  return first / counted
}

function addSoftmax(
  similar: Float32Array,
  pull: Float32Array,
  from: number,
  stride: number,
  count: number,
  temperature: number,
): void {
  let total = 0
  for (let j = 0; j < count; j++) total += Math.exp((similar[from + j * stride]! - 1) / temperature)
  for (let j = 0; j < count; j++) {
    const at = from + j * stride
    pull[at]! += Math.exp((similar[at]! - 1) / temperature) / total
  }
}

/** Writes the normalised sum of the rows to `out`, and returns its length before normalising. */
function sumRows(student: Student, rows: Rows, out: Float32Array): number {
  const { dimensions } = student
  out.fill(0)
  for (const row of rows) {
    const from = row * dimensions
    for (let k = 0; k < dimensions; k++) out[k]! += student.rows[from + k]!
  }
  return normalise(out)
}

function step(student: Student, rows: Rows, gradient: Float32Array, rate: number): void {
  const { dimensions, squares } = student
  for (const row of rows) {
    const from = row * dimensions
    for (let k = 0; k < dimensions; k++) {
      const slope = gradient[k]!
      squares[from + k]! += slope * slope
      student.rows[from + k]! -= (rate * slope) / Math.sqrt(squares[from + k]!)
    }
  }
}

function dot(a: Float32Array, i: number, b: Float32Array, j: number, dimensions: number): number {
  const from = i * dimensions
  const to = j * dimensions
  let even = 0
  let odd = 0
  for (let k = 0; k < dimensions; k += 2) {
    even += a[from + k]! * b[to + k]!
    odd += a[from + k + 1]! * b[to + k + 1]!
  }
  return even + odd
}
