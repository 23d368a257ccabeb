import { type Reliability, reliability } from 'toolsearch/evaluation'
import type { Half } from '../data/halves.ts'
import { mean } from '../statistics.ts'
import { type ConfidenceModel, probabilityOf } from './confidence-model.ts'
import type { Sample, SampleKind } from './confidence-samples.ts'

/** The result of one run of `npm run bench -- tune-confidence`, as `--json` prints it. */
export interface ConfidenceReport {
  readonly date: string
  readonly ranker: string
  /** Held out: each model is judged on the half it was not fitted on. */
  readonly heldOut: readonly (Judgement & { readonly fittedOn: Half; readonly judgedOn: Half })[]
  /** For shipping: fitted on both halves, so its figures are not held out. */
  readonly final: Judgement
}

export interface Judgement {
  readonly model: ConfidenceModel
  readonly reliability: Reliability
  /** The mean squared error of the probabilities. Always stating the mean costs `brierOfMean`. */
  readonly brier: number
  readonly brierOfMean: number
  readonly kinds: readonly KindJudgement[]
  /** At the threshold of the model, and at 0.95. */
  readonly sure: readonly SureResults[]
}

interface KindJudgement {
  readonly kind: SampleKind
  readonly queries: number
  /** The share of queries with a relevant tool among the first five. */
  readonly right: number
  /** The share of queries whose probability of being served is below the threshold. */
  readonly doubtful: number
}

interface SureResults {
  readonly threshold: number
  readonly queries: number
  /** The share of all queries. */
  readonly share: number
  /** How many of them have a relevant tool among the first five; undefined without any. */
  readonly right?: number
}

const KINDS: readonly SampleKind[] = ['served', 'hidden', 'foreign', 'none']

/** Compares the probabilities of a model with what the searches found. */
export function judge(model: ConfidenceModel, samples: readonly Sample[]): Judgement {
  const judged = samples.map((sample) => ({
    sample,
    probability: probabilityOf(model.right, sample),
    served: probabilityOf(model.served, sample),
  }))
  const rightShare = mean(samples.map(({ isRight }) => Number(isRight)))
  const squared = (state: (at: number) => number) =>
    mean(samples.map(({ isRight }, at) => (Number(isRight) - state(at)) ** 2))
  return {
    model,
    reliability: reliability(
      judged.map(({ sample, probability }) => ({
        probability,
        ...(sample.kind === 'served' && { scores: scoresOf(sample) }),
      })),
    ),
    brier: squared((at) => judged[at]!.probability),
    brierOfMean: squared(() => rightShare),
    kinds: KINDS.flatMap((kind) => {
      const same = judged.filter(({ sample }) => sample.kind === kind)
      if (same.length === 0) return []
      return {
        kind,
        queries: same.length,
        right: mean(same.map(({ sample }) => Number(sample.isRight))),
        doubtful: mean(same.map(({ served }) => Number(served < model.thresholds.doubtful))),
      }
    }),
    sure: [model.thresholds.sure, 0.95].map((threshold) => {
      const sure = judged.filter(({ probability }) => probability >= threshold)
      return {
        threshold,
        queries: sure.length,
        share: sure.length / judged.length,
        ...(sure.length > 0 && { right: mean(sure.map(({ sample }) => Number(sample.isRight))) }),
      }
    }),
  }
}

/** What `reliability` reads: a relevant tool is among the first five, or not. */
function scoresOf({ isRight }: Sample) {
  const recall = Number(isRight)
  return {
    recallAt1: recall,
    recallAt5: recall,
    recallAt10: recall,
    ndcgAt5: recall,
    allIn5: recall,
  }
}
