/** One weight and the values it may take next from the one it has. */
export interface Knob<Weights> {
  readonly name: string
  steps(weights: Weights): readonly Weights[]
}

/**
 * Tries steps of one knob at a time and keeps each that raises the score, until a whole round
 * brings nothing or `rounds` are over. Deterministic.
 */
export function climb<Weights>(
  start: Weights,
  knobs: readonly Knob<Weights>[],
  score: (weights: Weights) => number,
  rounds: number,
): Weights {
  let best = start
  let bestScore = score(start)
  for (let round = 0; round < rounds; round++) {
    const before = bestScore
    for (const knob of knobs) {
      for (const next of knob.steps(best)) {
        const nextScore = score(next)
        if (nextScore > bestScore) {
          best = next
          bestScore = nextScore
        }
      }
    }
    if (bestScore === before) break
  }
  return best
}
