/** One weight and the values to try next. */
export interface Knob<Weights> {
  readonly name: string
  steps(weights: Weights): readonly Weights[]
}

export interface ClimbStep {
  readonly round: number
  readonly knob: string
  /** The best score so far. */
  readonly score: number
}

/**
 * Changes one knob at a time and keeps each change that raises the score. Stops after `rounds`, or
 * after a round without any improvement. Deterministic.
 */
export function climb<Weights>(
  start: Weights,
  knobs: readonly Knob<Weights>[],
  score: (weights: Weights) => number,
  rounds: number,
  report: (step: ClimbStep) => void = () => {},
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
      report({ round: round + 1, knob: knob.name, score: bestScore })
    }
    if (bestScore === before) break
  }
  return best
}
