import { normalise } from './project.ts'
import { createRandom, shuffled } from './random.ts'

/** The word pieces of a text as rows of the table. The vector of a text is the sum of its rows. */
export type Rows = readonly number[]

/** The table in training: one row of `dimensions` numbers per word piece. */
export interface Student {
  readonly dimensions: number
  readonly rows: Float32Array
  /** Adagrad's accumulated squared gradients. */
  readonly moved: Float32Array
}

/**
 * Initialises each row with the teachers' vector of the piece alone, weighted by rarity
 * (`a / (a + frequency)`, as in SIF), so that training starts close to its goal.
 */
export function createStudent(
  alone: Float32Array,
  dimensions: number,
  texts: readonly Rows[],
): Student {
  const rows = alone.slice()
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
  return { dimensions, rows, moved: new Float32Array(rows.length).fill(1e-3) }
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

/** Writes the normalised sum of the rows to `out`. Returns the length of the sum. */
export function sumRows(student: Student, rows: Rows, out: Float32Array): number {
  const { dimensions } = student
  out.fill(0)
  for (const row of rows) {
    const from = row * dimensions
    for (let k = 0; k < dimensions; k++) out[k]! += student.rows[from + k]!
  }
  return normalise(out)
}

function step(student: Student, rows: Rows, gradient: Float32Array, rate: number): void {
  const { dimensions, moved } = student
  for (const row of rows) {
    const from = row * dimensions
    for (let k = 0; k < dimensions; k++) {
      const slope = gradient[k]!
      moved[from + k]! += slope * slope
      student.rows[from + k]! -= (rate * slope) / Math.sqrt(moved[from + k]!)
    }
  }
}
