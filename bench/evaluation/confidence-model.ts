import { InputError } from '../input-error.ts'
import type { Features } from './collect-features.ts'
import type { Sample } from './confidence-samples.ts'
import { fitLogistic, predict } from './logistic-regression.ts'

/** Estimates from features whether a relevant tool is among the first five. */
export interface ConfidenceModel {
  readonly intercept: number
  readonly coefficients: Features
  readonly thresholds: Thresholds
}

export interface Thresholds {
  /** Below this probability, a result is doubtful. */
  readonly doubtful: number
  /** From this probability on, a result is sure. */
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
  const described = samples.filter(({ features }) => features !== undefined)
  const names = Object.keys(described[0]?.features ?? {})
  const examples = described.map(({ features, isRight }) => ({
    values: names.map((name) => finite(name, features![name])),
    isTrue: isRight,
  }))
  const { intercept, coefficients } = fitLogistic(examples, penalty)
  const model = {
    intercept,
    coefficients: Object.fromEntries(names.map((name, at) => [name, coefficients[at]!])),
  }
  const judged = samples.map((sample) => ({ sample, probability: probabilityOf(model, sample) }))
  return { ...model, thresholds: chooseThresholds(judged, targets) }
}

/** 0 if the search found nothing. */
export function probabilityOf(
  { intercept, coefficients }: Omit<ConfidenceModel, 'thresholds'>,
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
  readonly probability: number
}

/** The highest `doubtful` and the lowest `sure` that keep the targets. */
export function chooseThresholds(
  judged: readonly Judged[],
  { doubtfulServed, right }: ThresholdTargets,
): Thresholds {
  const served = judged.filter(({ sample }) => sample.kind === 'served')
  const ascending = served.map(({ probability }) => probability).sort((a, b) => a - b)
  const doubtful = ascending[Math.floor(ascending.length * doubtfulServed)] ?? 0

  const descending = [...judged].sort((a, b) => b.probability - a.probability)
  let sure = 1
  let rightCount = 0
  for (const [at, { sample, probability }] of descending.entries()) {
    if (sample.isRight) rightCount++
    const isLastOfTies = descending[at + 1]?.probability !== probability
    if (isLastOfTies && at + 1 >= FEWEST_SURE && rightCount / (at + 1) >= right) sure = probability
  }
  return { doubtful, sure: Math.max(sure, doubtful) }
}

function finite(name: string, value: number | undefined): number {
  if (Number.isFinite(value)) return value!
  throw new InputError(`Feature "${name}" is ${value}. Every search needs a finite number.`)
}
