import { InputError } from '../input-error.ts'
import type { Features } from './collect-features.ts'
import type { Sample } from './confidence-samples.ts'
import { fitLogistic, predict } from './logistic-regression.ts'

/** Two estimates from the same features. */
export interface ConfidenceModel {
  /** Whether a relevant tool is among the first five. */
  readonly right: FittedOdds
  /** Whether there is a relevant tool at all. */
  readonly served: FittedOdds
  readonly thresholds: Thresholds
}

/** Log odds as a weighted sum of features. */
export interface FittedOdds {
  readonly intercept: number
  readonly coefficients: Features
}

export interface Thresholds {
  /** If `served` is below this, a result is doubtful. */
  readonly doubtful: number
  /** From this probability of `right` on, a result is sure. */
  readonly sure: number
}

/** How thresholds are chosen, as shares from 0 to 1. */
export interface ThresholdTargets {
  /** At most this share of the served queries is doubtful. */
  readonly doubtfulServed: number
  /** At least this share of the sure results is right. */
  readonly right: number
}

// Fewer results than this are too few to tell how often they are right.
const FEWEST_SURE = 20

/** Fits a model and chooses its thresholds on the same samples. @throws InputError */
export function fitConfidence(
  samples: readonly Sample[],
  targets: ThresholdTargets,
  penalty: number,
): ConfidenceModel {
  const model = {
    right: fitOdds(samples, ({ isRight }) => isRight, penalty),
    served: fitOdds(samples, ({ kind }) => kind === 'served', penalty),
  }
  const judged = samples.map((sample) => ({
    sample,
    right: probabilityOf(model.right, sample),
    served: probabilityOf(model.served, sample),
  }))
  return { ...model, thresholds: chooseThresholds(judged, targets) }
}

function fitOdds(
  samples: readonly Sample[],
  isTrue: (sample: Sample) => boolean,
  penalty: number,
): FittedOdds {
  const described = samples.filter(({ features }) => features !== undefined)
  const names = Object.keys(described[0]?.features ?? {})
  const examples = described.map((sample) => ({
    values: names.map((name) => finite(name, sample.features![name])),
    isTrue: isTrue(sample),
  }))
  const { intercept, coefficients } = fitLogistic(examples, penalty)
  return {
    intercept,
    coefficients: Object.fromEntries(names.map((name, at) => [name, coefficients[at]!])),
  }
}

/** 0 if the search found nothing. */
export function probabilityOf(
  { intercept, coefficients }: FittedOdds,
  { features }: Pick<Sample, 'features'>,
): number {
  if (features === undefined) return 0
  const names = Object.keys(coefficients)
  return predict(
    { intercept, coefficients: names.map((name) => coefficients[name]!) },
    names.map((name) => features[name]!),
  )
}

interface Judged {
  readonly sample: Pick<Sample, 'kind' | 'isRight'>
  readonly right: number
  readonly served: number
}

/** The highest `doubtful` and the lowest `sure` that keep the targets. */
export function chooseThresholds(
  judged: readonly Judged[],
  { doubtfulServed, right }: ThresholdTargets,
): Thresholds {
  const ofServed = judged.filter(({ sample }) => sample.kind === 'served')
  const ascending = ofServed.map(({ served }) => served).sort((a, b) => a - b)
  const doubtful = ascending[Math.floor(ascending.length * doubtfulServed)] ?? 0

  const descending = [...judged].sort((a, b) => b.right - a.right)
  let sure = 1
  let rightCount = 0
  for (const [at, { sample, right: probability }] of descending.entries()) {
    if (sample.isRight) rightCount++
    const isLastOfTies = descending[at + 1]?.right !== probability
    if (isLastOfTies && at + 1 >= FEWEST_SURE && rightCount / (at + 1) >= right) sure = probability
  }
  return { doubtful, sure }
}

function finite(name: string, value: number | undefined): number {
  if (Number.isFinite(value)) return value!
  throw new InputError(`Feature "${name}" is ${value}. Every search needs a finite number.`)
}
