import {
  COINCIDENCE,
  type ConfidenceWeights,
  type Judgement,
  judge,
  sizeEvidence,
} from './confidence.ts'
import type { Ranking, ScoredTool } from './ranker.ts'

/** What a ranking by keywords alone is judged by. */
export interface WordsJudgement extends Pick<Ranking, 'unknownProducts'> {
  readonly idealScore: number
  readonly minConfidentScore: number
  /** The number of tools. */
  readonly tools: number
  readonly weights: ConfidenceWeights
}

/** A best score of this multiple of the minimum is as clear as can be. */
const CLEAR = 5

/** Judges hits that were found by keywords. */
export function judgeWords(
  hits: readonly ScoredTool[],
  { idealScore, minConfidentScore, unknownProducts, tools, weights }: WordsJudgement,
): Judgement {
  const best = hits[0]?.score ?? 0
  const evidence = {
    words: Math.min(1, best / idealScore),
    clarity: Math.min(1, best / minConfidentScore / CLEAR),
    similarity: 0,
    lead: 0,
    trust: 0,
    top: Math.min(1, (hits[1]?.score ?? 0) / idealScore),
    margin: best === 0 ? 0 : (best - (hits[5]?.score ?? 0)) / best,
    size: sizeEvidence(tools),
    unknownProduct: unknownProducts ? 1 : 0,
  }
  const judgement = judge(evidence, weights)
  const served = Math.min(judgement.served, COINCIDENCE)
  return best < minConfidentScore ? { ...judgement, served } : judgement
}
