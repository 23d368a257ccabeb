import type { Group, Half } from '../data/halves.ts'
import type { Gain } from './held-out-gain.ts'

/** The result of one run of `npm run bench -- tune`, as `--json` prints it. R@5 are shares. */
export interface TuningReport {
  readonly date: string
  readonly ranker: string
  /** How a choice was made: queries per set, passes over the weights, the weights that may change. */
  readonly queries: number
  readonly rounds: number
  readonly knobs: readonly string[]
  /** The smallest gain that a change was kept for. */
  readonly leastGain: number
  /** What the weights were chosen from: the current ones, neutral ones, or those of a file. */
  readonly start: string
  /** What `before` in gains means: the scores of the current weights, or saved ones. */
  readonly comparedWith: 'current' | 'baseline'
  readonly sets: readonly TunedSet[]
  /** Held out: the means over the sets, with the weights chosen on the other half. */
  readonly heldOut: Readonly<Record<Half | 'all', Gain>>
  readonly groups: readonly { readonly group: Group; readonly sets: number; readonly gain: Gain }[]
  readonly halves: Readonly<Record<Half, { readonly changes: readonly string[] }>>
  readonly agreed: AgreedWeights
}

interface TunedSet {
  readonly name: string
  readonly half: Half
  readonly queries: number
  /** `after` is the R@5 with the weights chosen on the other half. */
  readonly gain: Gain
}

/** What both halves agree on. Its gain is not held out: all sets took part in the choice. */
interface AgreedWeights {
  readonly changes: readonly string[]
  readonly weights: object
  readonly gain: Gain
}
