import { createRandom } from './random.ts'

/**
 * Turns the vectors of several teachers into one target per text: centres and normalises the vectors
 * of each teacher, concatenates them, reduces them to `dimensions` with PCA, and normalises again.
 *
 * @param sampleFrom the first vector that belongs to a text; those before it belong to word pieces
 */
export function projectTeachers(
  teachers: readonly Float32Array[],
  from: number,
  weights: readonly number[],
  dimensions: number,
  sampleFrom: number,
): Float32Array {
  const count = teachers[0]!.length / from
  const combinedSize = from * teachers.length
  const means = teachers.map((vectors) => meanOf(vectors, from, sampleFrom))
  const combined = new Float32Array(combinedSize)

  // PCA over texts only: single word pieces would add directions that no request uses.
  const covariance = new Float64Array(combinedSize * combinedSize)
  const step = Math.max(1, Math.floor((count - sampleFrom) / SAMPLE))
  for (let text = sampleFrom; text < count; text += step) {
    combineTeachers(text)
    for (let a = 0; a < combinedSize; a++) {
      const value = combined[a]!
      for (let b = a; b < combinedSize; b++)
        covariance[a * combinedSize + b]! += value * combined[b]!
    }
  }
  for (let a = 0; a < combinedSize; a++) {
    for (let b = 0; b < a; b++) covariance[a * combinedSize + b] = covariance[b * combinedSize + a]!
  }
  const basis = Float32Array.from(leadingEigenvectors(covariance, combinedSize, dimensions))

  const out = new Float32Array(count * dimensions)
  for (let text = 0; text < count; text++) {
    combineTeachers(text)
    const target = out.subarray(text * dimensions, (text + 1) * dimensions)
    addProduct(combined, basis, target)
    normalise(target)
  }
  return out

  function combineTeachers(text: number): void {
    teachers.forEach((vectors, teacher) => {
      const own = combined.subarray(teacher * from, (teacher + 1) * from)
      for (let k = 0; k < from; k++) own[k] = vectors[text * from + k]! - means[teacher]![k]!
      normalise(own)
      for (let k = 0; k < from; k++) own[k]! *= weights[teacher]!
    })
  }
}

const SAMPLE = 8_000
const ITERATIONS = 8

// Four rows at a time, because a projection spends most of its time here.
function addProduct(vector: Float32Array, matrix: Float32Array, out: Float32Array): void {
  const columns = out.length
  for (let a = 0; a + 3 < vector.length; a += 4) {
    const v0 = vector[a]!
    const v1 = vector[a + 1]!
    const v2 = vector[a + 2]!
    const v3 = vector[a + 3]!
    const r0 = a * columns
    const r1 = r0 + columns
    const r2 = r1 + columns
    const r3 = r2 + columns
    for (let k = 0; k < columns; k++) {
      out[k]! +=
        v0 * matrix[r0 + k]! + v1 * matrix[r1 + k]! + v2 * matrix[r2 + k]! + v3 * matrix[r3 + k]!
    }
  }
}

function meanOf(vectors: Float32Array, from: number, first: number): Float64Array {
  const mean = new Float64Array(from)
  const count = vectors.length / from
  for (let text = first; text < count; text++) {
    for (let k = 0; k < from; k++) mean[k]! += vectors[text * from + k]! / (count - first)
  }
  return mean
}

/** The leading eigenvectors of a symmetric matrix as columns, by orthogonal iteration. */
function leadingEigenvectors(matrix: Float64Array, size: number, count: number): Float64Array {
  const random = createRandom(1)
  let basis = Float64Array.from({ length: size * count }, () => random() - 0.5)
  for (let turn = 0; turn < ITERATIONS; turn++) {
    const next = new Float64Array(size * count)
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) {
        const value = matrix[a * size + b]!
        for (let k = 0; k < count; k++) next[a * count + k]! += value * basis[b * count + k]!
      }
    }
    orthonormalise(next, size, count)
    basis = next
  }
  return basis
}

function orthonormalise(basis: Float64Array, size: number, count: number): void {
  for (let k = 0; k < count; k++) {
    for (let j = 0; j < k; j++) {
      let dot = 0
      for (let a = 0; a < size; a++) dot += basis[a * count + k]! * basis[a * count + j]!
      for (let a = 0; a < size; a++) basis[a * count + k]! -= dot * basis[a * count + j]!
    }
    let square = 0
    for (let a = 0; a < size; a++) square += basis[a * count + k]! ** 2
    const scale = 1 / Math.sqrt(square)
    for (let a = 0; a < size; a++) basis[a * count + k]! *= scale
  }
}

/** Scales a vector to length 1 in place, unless it is zero. Returns its previous length. */
export function normalise(vector: Float32Array): number {
  let square = 0
  for (let k = 0; k < vector.length; k++) square += vector[k]! ** 2
  const length = Math.sqrt(square)
  if (length > 0) for (let k = 0; k < vector.length; k++) vector[k]! /= length
  return length
}
