/**
 * Writes the dot product of each row of `a` with each row of `b`: `out[i * rowsOfB + j] = a_i · b_j`.
 * Both numbers of rows are multiples of four.
 */
export function multiply(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  columns: number,
): void {
  const rowsOfA = a.length / columns
  const rowsOfB = b.length / columns
  for (let i = 0; i < rowsOfA; i += 4) {
    for (let j = 0; j < rowsOfB; j += 2) multiplyBlock(a, b, out, columns, i, j, rowsOfB)
  }
}

// Each number that is read serves two or four products, which is about three times as fast as one
// row at a time.
function multiplyBlock(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  columns: number,
  i: number,
  j: number,
  rowsOfB: number,
): void {
  let [a0b0, a0b1, a1b0, a1b1, a2b0, a2b1, a3b0, a3b1] = [0, 0, 0, 0, 0, 0, 0, 0]
  const a0 = i * columns
  const a1 = a0 + columns
  const a2 = a1 + columns
  const a3 = a2 + columns
  const b0 = j * columns
  const b1 = b0 + columns
  for (let k = 0; k < columns; k++) {
    const left = b[b0 + k]!
    const right = b[b1 + k]!
    a0b0 += a[a0 + k]! * left
    a0b1 += a[a0 + k]! * right
    a1b0 += a[a1 + k]! * left
    a1b1 += a[a1 + k]! * right
    a2b0 += a[a2 + k]! * left
    a2b1 += a[a2 + k]! * right
    a3b0 += a[a3 + k]! * left
    a3b1 += a[a3 + k]! * right
  }
  const to = i * rowsOfB + j
  out[to] = a0b0
  out[to + 1] = a0b1
  out[to + rowsOfB] = a1b0
  out[to + rowsOfB + 1] = a1b1
  out[to + 2 * rowsOfB] = a2b0
  out[to + 2 * rowsOfB + 1] = a2b1
  out[to + 3 * rowsOfB] = a3b0
  out[to + 3 * rowsOfB + 1] = a3b1
}

/** Writes the columns of a matrix as rows. */
export function transpose(matrix: Float32Array, out: Float32Array, columns: number): void {
  const rows = matrix.length / columns
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < columns; k++) out[k * rows + i] = matrix[i * columns + k]!
  }
}
