/** What tells how likely a ranking contains what its query needs, each from 0 to about 1. */
export interface Evidence {
  /** The best keyword score, as a share of the ideal one. */
  readonly words: number
  /** How clearly the best keyword score exceeds a coincidence. */
  readonly clarity: number
  /** The cosine of the query and the most similar tool. */
  readonly similarity: number
  /** How much more similar the query is to a tool than to the nearest topic that no tool covers. */
  readonly lead: number
  /** How much of the query an embedder understands. */
  readonly trust: number
  /** The best score after keywords and similarity are combined. */
  readonly top: number
  /** By how much the best score exceeds the sixth. */
  readonly margin: number
  /** The number of tools: 0 for one, 1 for 100,000. */
  readonly size: number
  /** 1 if the query names a product that no tool mentions. */
  readonly unknownProduct: number
}

/** How much to trust a ranking. */
export interface Judgement {
  /**
   * The estimated probability, from 0 to 1, that a tool which the query needs is among the first five
   * hits.
   */
  readonly confidence: number
  /** The estimated probability, from 0 to 1, that there is a tool which serves the query. */
  readonly served: number
  readonly evidence: Evidence
  /** A topic that is closer to the query than any tool is. */
  readonly closerTopic?: string
}

/** What one unit of each kind of evidence adds to the log odds, starting at `start`. */
interface LogOdds extends Evidence {
  readonly start: number
}

/** How the estimates of a `Judgement` depend on the evidence. */
export interface ConfidenceWeights {
  readonly confidence: LogOdds
  readonly served: LogOdds
}

export function judge(evidence: Evidence, weights: ConfidenceWeights): Judgement {
  const served = probability(evidence, weights.served)
  const isClear = evidence.words >= CLEAR_SHARE && evidence.unknownProduct === 0
  // The fitted weights know real requests only, so a meaningless word needs a rule of its own.
  // Without an embedder, trust is 0 and says nothing.
  const isMeaningless =
    evidence.words < MIN_SHARE && evidence.trust > 0 && evidence.trust < MIN_TRUST
  return {
    confidence: probability(evidence, weights.confidence),
    served: isClear
      ? Math.max(served, CLEARLY_SERVED)
      : isMeaningless
        ? Math.min(served, COINCIDENCE)
        : served,
    evidence,
  }
}

/** The probability that a query is served although its best hit looks like a coincidence. */
export const COINCIDENCE = 0.3
/** If an embedder understands less of a query, and tools contain fewer of its words, it means nothing. */
const MIN_TRUST = 0.5
const MIN_SHARE = 0.15

/** Such a share of the ideal keyword score is hardly a coincidence, even among many tools that have it. */
const CLEAR_SHARE = 0.5
const CLEARLY_SERVED = 0.9

// Every search computes this twice, so it spells out the sum.
function probability(evidence: Evidence, weights: LogOdds): number {
  const odds =
    weights.start +
    weights.words * evidence.words +
    weights.clarity * evidence.clarity +
    weights.similarity * evidence.similarity +
    weights.lead * evidence.lead +
    weights.trust * evidence.trust +
    weights.top * evidence.top +
    weights.margin * evidence.margin +
    weights.size * evidence.size +
    weights.unknownProduct * evidence.unknownProduct
  return 1 / (1 + Math.exp(-odds))
}

/** The evidence about the number of tools. */
export function sizeEvidence(tools: number): number {
  return Math.log10(Math.max(tools, 1)) / 5
}
