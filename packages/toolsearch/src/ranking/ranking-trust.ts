import type { Ranking } from './ranker.ts'

/** What a ranking says about how much to trust its hits. */
export type RankingTrust = Pick<
  Ranking,
  'minConfidentScore' | 'confidence' | 'served' | 'judge' | 'closerTopic' | 'unknownProducts'
>

/** Takes these fields over from a ranking that is merged with another one. */
export function trustIn({
  minConfidentScore,
  confidence,
  served,
  judge,
  closerTopic,
  unknownProducts,
}: RankingTrust): RankingTrust {
  return {
    ...(minConfidentScore !== undefined && { minConfidentScore }),
    ...(confidence !== undefined && { confidence }),
    ...(served !== undefined && { served }),
    ...(judge && { judge }),
    ...(closerTopic !== undefined && { closerTopic }),
    ...(unknownProducts && { unknownProducts }),
  }
}
