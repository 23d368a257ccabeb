const GELU_LIMIT = 6
const STEPS_PER_UNIT = 512
/** The activation function at evenly spaced points. */
const GELU_POINTS = Float32Array.from({ length: 2 * GELU_LIMIT * STEPS_PER_UNIT + 2 }, (_, at) =>
  exactGelu(at / STEPS_PER_UNIT - GELU_LIMIT),
)
const NORM_EPSILON = 1e-12

/** Applies BERT's activation function in place, by interpolation: its exact form is slow. */
export function gelu(floats: Float32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const x = floats[i]!
    if (x >= GELU_LIMIT) continue
    const place = (x + GELU_LIMIT) * STEPS_PER_UNIT
    if (place <= 0) {
      floats[i] = 0
      continue
    }
    const below = place | 0
    const value = GELU_POINTS[below]!
    floats[i] = value + (place - below) * (GELU_POINTS[below + 1]! - value)
  }
}

/**
 * Layer normalisation of the sum of two vectors, or of one; the result replaces the second one. The
 * factors and offsets are at `norm`.
 */
export function normaliseSum(
  floats: Float32Array,
  added: number,
  to: number,
  width: number,
  norm: number,
  isSum: boolean,
): void {
  let sum = 0
  for (let i = 0; i < width; i++) {
    const value = isSum ? floats[added + i]! + floats[to + i]! : floats[to + i]!
    floats[to + i] = value
    sum += value
  }
  const mean = sum / width
  let squares = 0
  for (let i = 0; i < width; i++) squares += (floats[to + i]! - mean) ** 2
  const scale = 1 / Math.sqrt(squares / width + NORM_EPSILON)
  for (let i = 0; i < width; i++) {
    floats[to + i] =
      (floats[to + i]! - mean) * scale * floats[norm + i]! + floats[norm + width + i]!
  }
}

/** The mean of rows, scaled to length one. */
export function pool(rows: Float32Array, from: number, to: number, width: number): Float32Array {
  const vector = new Float32Array(width)
  for (let row = from * width; row < to * width; row += width) {
    for (let i = 0; i < width; i++) vector[i]! += rows[row + i]!
  }
  let squares = 0
  for (const value of vector) squares += value * value
  const scale = 1 / Math.sqrt(squares || 1)
  return vector.map((value) => value * scale)
}

function exactGelu(x: number): number {
  return (x / 2) * (1 + erf(x / Math.SQRT2))
}

/** The error function, by its Maclaurin series near 0 and by 1 where it is 1 within double precision. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x)
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= -(x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}
