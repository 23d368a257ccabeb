import type { Group, Half } from '../data/halves.ts'
import { mean, sum } from '../statistics.ts'
import { agreedWeights, changedWeights } from './agreed-weights.ts'
import { type ClimbStep, climb, type Knob } from './climb.ts'
import { type Gain, heldOutGain } from './held-out-gain.ts'
import type { SavedScores } from './saved-scores.ts'
import type { SetScores } from './score-set.ts'
import type { TuningReport } from './tuning-report.ts'

export interface ChoiceOptions<Weights, Member> {
  readonly sets: readonly Member[]
  /** The weights to compare with. */
  readonly current: Weights
  /** The weights to start from. */
  readonly start: Weights
  readonly knobs: readonly Knob<Weights>[]
  readonly rounds: number
  readonly leastGain?: number
  readonly score: (weights: Weights, set: Member) => SetScores
  /**
   * R@5 per query to compare with, by set.
   * @default the scores of `current`
   */
  readonly baseline?: SavedScores
  readonly report?: (half: Half, step: ClimbStep) => void
}

interface ScoredSet {
  readonly name: string
  readonly half: Half
  readonly group: Group
  readonly weight: number
}

type Choice = Pick<TuningReport, 'sets' | 'heldOut' | 'groups' | 'halves' | 'agreed'>

/** Chooses weights on each half of the sets, and judges both choices on the half they have not seen. */
export function chooseByHalves<Weights extends object, Member extends ScoredSet>(
  options: ChoiceOptions<Weights, Member>,
): Choice {
  const { sets, current, start, knobs, rounds, leastGain = 0, baseline, report } = options
  const scoresOf = remembering(options.score)
  const chosenOn = (half: Half): Weights => {
    const own = sets.filter((set) => set.half === half)
    const total = sum(own.map(({ weight }) => weight))
    const objective = (weights: Weights) =>
      sum(own.map((set) => set.weight * quality(scoresOf(weights, set)))) / total
    return climb(start, knobs, objective, {
      rounds,
      leastGain,
      report: (step) => report?.(half, step),
    })
  }
  const gainOf = (some: readonly Member[], weightsFor: (set: Member) => Weights): Gain =>
    heldOutGain(
      some.map((set) => ({
        weight: set.weight,
        before: baseline?.[set.name] ?? scoresOf(current, set).recallAt5,
        after: scoresOf(weightsFor(set), set).recallAt5,
      })),
    )

  const chosen = { one: chosenOn('one'), two: chosenOn('two') }
  const unseen = (set: Member) => chosen[set.half === 'one' ? 'two' : 'one']
  const gainOfHalf = (half: Half) =>
    gainOf(
      sets.filter((set) => set.half === half),
      unseen,
    )
  const groups = [...new Set(sets.map(({ group }) => group))]
  const agreed = agreedWeights(start, [chosen.one, chosen.two])
  return {
    sets: sets.map((set) => ({
      name: set.name,
      half: set.half,
      queries: scoresOf(current, set).recallAt5.length,
      gain: gainOf([set], unseen),
    })),
    heldOut: { one: gainOfHalf('one'), two: gainOfHalf('two'), all: gainOf(sets, unseen) },
    groups: groups.map((group) => {
      const same = sets.filter((set) => set.group === group)
      return { group, sets: same.length, gain: gainOf(same, unseen) }
    }),
    halves: {
      one: { changes: changedWeights(start, chosen.one) },
      two: { changes: changedWeights(start, chosen.two) },
    },
    agreed: {
      changes: changedWeights(start, agreed),
      weights: agreed,
      gain: gainOf(sets, () => agreed),
    },
  }
}

function quality({ recallAt1, recallAt5 }: SetScores): number {
  return (mean(recallAt1) + mean(recallAt5)) / 2
}

/** Climbing comes back to the same weights, and both halves start from the same ones. */
function remembering<Weights, Member extends ScoredSet>(
  score: (weights: Weights, set: Member) => SetScores,
): (weights: Weights, set: Member) => SetScores {
  const known = new Map<string, SetScores>()
  return (weights, set) => {
    const key = `${set.name} ${JSON.stringify(weights)}`
    const scores = known.get(key) ?? score(weights, set)
    known.set(key, scores)
    return scores
  }
}
