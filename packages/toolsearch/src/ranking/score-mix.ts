import type { Comparison, MeaningSource } from './meaning-source.ts'

/** Scores of keywords and of one or more sources of meaning, combined by slot. */
export interface ScoreMix {
  /** The number of slots; `wordScores` may be longer. */
  readonly slots: number
  readonly wordScores: Float64Array
  readonly perWordScore: number
  readonly sources: readonly MixedSource[]
}

/** One source of meaning in a mix. A similarity adds `factor` times itself to the score of its slot. */
export interface MixedSource {
  readonly source: MeaningSource
  readonly comparison: Comparison
  /** The similarity of the most similar accepted tool. */
  readonly nearest: number
  readonly factor: number
}

/** Calls `offer` with every slot whose score is at least `floor()`, and above 0. */
export function offerScores(
  mix: ScoreMix,
  offer: (slot: number, score: number) => void,
  floor: () => number,
): void {
  const [only] = mix.sources
  if (mix.sources.length === 1 && only!.source.missing() === 0) {
    offerOne(mix, only!, offer, floor)
  } else {
    let least = Math.max(floor(), Number.MIN_VALUE)
    for (let slot = 0; slot < mix.slots; slot++) {
      const score = mix.wordScores[slot]! * mix.perWordScore + meaningScore(mix, slot)
      if (score < least) continue
      offer(slot, score)
      least = Math.max(floor(), Number.MIN_VALUE)
    }
  }
}

// Loops over all slots are separate functions: V8 does not optimise them inside a long function.
function offerOne(
  { wordScores, perWordScore }: ScoreMix,
  { comparison: { similarity }, factor }: MixedSource,
  offer: (slot: number, score: number) => void,
  floor: () => number,
): void {
  let least = Math.max(floor(), Number.MIN_VALUE)
  for (let slot = 0; slot < similarity.length; slot++) {
    const score = wordScores[slot]! * perWordScore + similarity[slot]! * factor
    if (score < least) continue
    offer(slot, score)
    least = Math.max(floor(), Number.MIN_VALUE)
  }
}

/** What meaning adds to the score of a slot. A source that has no vector of it leaves it to the others. */
export function meaningScore({ sources }: Pick<ScoreMix, 'sources'>, slot: number): number {
  let score = 0
  let missing = 0
  for (const { source, comparison, factor } of sources) {
    if (source.missing() > 0 && !source.has(slot)) missing++
    else score += (comparison.similarity[slot] ?? 0) * factor
  }
  return missing > 0 && missing < sources.length
    ? (score * sources.length) / (sources.length - missing)
    : score
}

/**
 * How much more meaning would add to the score of a slot if only the source counted that finds it most
 * similar. Disagreeing sources must not lower the confidence. 0 with a single source.
 */
export function disagreement({ sources }: Pick<ScoreMix, 'sources'>, slot: number): number {
  let most = 0
  for (const { comparison, factor } of sources) {
    most = Math.max(most, (comparison.similarity[slot] ?? 0) * factor)
  }
  return Math.max(0, sources.length * most - meaningScore({ sources }, slot))
}
