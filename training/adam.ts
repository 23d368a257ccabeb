const MOMENTUM = 0.9
const SQUARES = 0.999
const EPSILON = 1e-8

/** The Adam optimiser for a table of which each step changes only a few rows. */
export interface Adam {
  /** Adds to the gradient of a row. */
  add(row: number, gradient: Float32Array): void
  /** Changes the rows that have a gradient, and resets the gradients. */
  step(rate: number): void
}

export function createAdam(table: Float32Array, dimensions: number): Adam {
  const gradients = new Float32Array(table.length)
  const means = new Float32Array(table.length)
  const squares = new Float32Array(table.length)
  const touched = new Set<number>()
  let steps = 0

  return {
    add(row, gradient) {
      touched.add(row)
      const from = row * dimensions
      for (let k = 0; k < dimensions; k++) gradients[from + k]! += gradient[k]!
    },
    step(rate) {
      steps++
      const meanScale = 1 / (1 - MOMENTUM ** steps)
      const squareScale = 1 / (1 - SQUARES ** steps)
      for (const row of touched) {
        for (let at = row * dimensions; at < (row + 1) * dimensions; at++) {
          const slope = gradients[at]!
          gradients[at] = 0
          means[at] = MOMENTUM * means[at]! + (1 - MOMENTUM) * slope
          squares[at] = SQUARES * squares[at]! + (1 - SQUARES) * slope * slope
          const spread = Math.sqrt(squares[at]! * squareScale) + EPSILON
          table[at]! -= (rate * means[at]! * meanScale) / spread
        }
      }
      touched.clear()
    },
  }
}
