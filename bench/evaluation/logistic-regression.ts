/** A model of the probability that something is true, given some numbers. */
export interface LogisticModel {
  readonly intercept: number
  readonly coefficients: readonly number[]
}

export interface Example {
  /** As many in each example. */
  readonly values: readonly number[]
  readonly isTrue: boolean
}

const ROUNDS = 50

/**
 * Fits a logistic regression by Newton's method. Values may have any scale: they are standardised
 * before `penalty`, the L2 penalty, applies to their coefficients.
 */
export function fitLogistic(examples: readonly Example[], penalty = 1): LogisticModel {
  const scales = examples[0]?.values.map((_, at) =>
    scaleOf(examples.map(({ values }) => values[at]!)),
  )
  if (scales === undefined) return { intercept: 0, coefficients: [] }
  // The intercept is the coefficient of a constant 1.
  const rows = examples.map(({ values }) => [
    1,
    ...values.map((value, at) => (value - scales[at]!.mean) / scales[at]!.deviation),
  ])
  let weights = rows[0]!.map(() => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const step = newtonStep(weights)
    weights = weights.map((weight, at) => weight + step[at]!)
    if (step.every((change) => Math.abs(change) < 1e-9)) break
  }
  const coefficients = scales.map(({ deviation }, at) => weights[at + 1]! / deviation)
  const shift = coefficients.reduce((sum, value, at) => sum + value * scales[at]!.mean, 0)
  return { intercept: weights[0]! - shift, coefficients }

  function newtonStep(current: readonly number[]): number[] {
    const gradient = current.map((weight, at) => (at === 0 ? 0 : -penalty * weight))
    const hessian = current.map((_, row) =>
      current.map((_, column) => (row === column && row > 0 ? penalty : 0)),
    )
    for (const [at, row] of rows.entries()) {
      const probability = sigmoid(row.reduce((sum, value, i) => sum + value * current[i]!, 0))
      const error = Number(examples[at]!.isTrue) - probability
      // Keeps the matrix invertible where the model is already certain.
      const curvature = Math.max(probability * (1 - probability), 1e-9)
      for (let i = 0; i < row.length; i++) {
        gradient[i]! += error * row[i]!
        for (let j = 0; j < row.length; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!
      }
    }
    return solve(hessian, gradient)
  }
}

export function predict(
  { intercept, coefficients }: LogisticModel,
  values: readonly number[],
): number {
  return sigmoid(coefficients.reduce((sum, value, at) => sum + value * values[at]!, intercept))
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

function scaleOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  // A value that never changes says nothing, and its coefficient stays 0.
  return { mean, deviation: Math.sqrt(variance) || 1 }
}

/** Solves a system of linear equations by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  const size = rows.length
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    }
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let row = 0; row < size; row++) {
      if (row === column) continue
      const factor = rows[row]![column]! / rows[column]![column]!
      for (let at = column; at <= size; at++) rows[row]![at]! -= factor * rows[column]![at]!
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!)
}
