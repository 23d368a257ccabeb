export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector))
}

/** A copy of the vector with this length. A zero vector stays zero. */
export function scaledTo(length: number, vector: Float32Array): Float32Array {
  const scale = length / (lengthOf(vector) || 1)
  return vector.map((value) => value * scale)
}
