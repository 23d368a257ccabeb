/** One weight and the values to try next. */
export interface Knob<Weights> {
  readonly name: string
  steps(weights: Weights): readonly Weights[]
}

export interface ClimbOptions {
  readonly rounds: number
  /**
   * Keeps a change only if it raises the score by more than this.
   * @default 0
   */
  readonly leastGain?: number
  /** Called after each knob. */
  readonly report?: (step: ClimbStep) => void
}

export interface ClimbStep {
  readonly round: number
  readonly knob: string
  /** The best score so far. */
  readonly score: number
}

/**
 * Changes one knob at a time and keeps each change that raises the score enough. Stops after `rounds`, or
 * after a round without any improvement. Deterministic.
 */
export function climb<Weights>(
  start: Weights,
  knobs: readonly Knob<Weights>[],
  score: (weights: Weights) => number,
  { rounds, leastGain = 0, report }: ClimbOptions,
): Weights {
  let best = start
  let bestScore = score(start)
  for (let round = 0; round < rounds; round++) {
    const before = bestScore
    for (const knob of knobs) {
      for (const next of knob.steps(best)) {
        const nextScore = score(next)
        if (nextScore > bestScore + leastGain) {
          best = next
          bestScore = nextScore
        }
      }
      report?.({ round: round + 1, knob: knob.name, score: bestScore })
    }
    if (bestScore === before) break
  }
  return best
}
