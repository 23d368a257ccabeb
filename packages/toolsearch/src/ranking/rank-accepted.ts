import type { WordsQuery } from '../query/query.ts'
import type { Ranker, Ranking, RankOptions } from './ranker.ts'

/**
 * Ranks with a ranker that may be custom: even if it ignores `accepts`, the ranking contains no tool
 * that `accepts` rejects, and no count that includes one.
 */
export function rankAccepted(
  ranker: Pick<Ranker, 'rank'>,
  query: WordsQuery,
  options: RankOptions,
): Ranking {
  const ranking = ranker.rank(query, options)
  const { accepts } = options
  if (!accepts || ranking.hits.every(({ tool }) => accepts(tool))) return ranking
  const { total: _, ...rest } = ranking
  return { ...rest, hits: ranking.hits.filter(({ tool }) => accepts(tool)) }
}
