import type { Ranking } from '../ranking/ranker.ts'

/**
 * How likely it is that a tool the query needs is among the first five results.
 *
 * - `high`: the query names the tools, or the ranker is sure
 * - `medium`: probable, or the ranker has no estimate
 * - `low`: no tool matches, or even the best match may be a coincidence
 */
export type Confidence = 'high' | 'medium' | 'low'

/** Which estimates of a ranker count as high and as low confidence. */
export interface ConfidenceThresholds {
  /** The confidence is high from this estimate on. */
  readonly sure: number
  /**
   * The confidence is low below this estimate, and the search returns candidates instead of hits.
   * With 0, a search always returns hits.
   */
  readonly doubtful: number
}

/** Judges a ranking by its estimate or, if it has none, by the smallest score it trusts. */
export function confidenceOf(
  { hits, confidence, minConfidentScore }: Ranking,
  { sure, doubtful }: ConfidenceThresholds,
): Confidence {
  const best = hits[0]?.score ?? Number.NEGATIVE_INFINITY
  const isCoincidence = hits.length === 0 || best < (minConfidentScore ?? best)
  const estimate = isCoincidence ? (confidence ?? 0) : confidence
  if (estimate === undefined) return 'medium'
  if (estimate < doubtful) return 'low'
  return estimate >= sure ? 'high' : 'medium'
}
