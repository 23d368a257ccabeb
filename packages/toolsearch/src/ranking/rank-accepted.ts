import { isObject } from '../is-object.ts'
import { fail } from '../options/check-option.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranker, Ranking, RankOptions } from './ranker.ts'

/**
 * Ranks with a ranker that may be custom: even if it ignores `accepts`, the ranking contains no tool
 * that `accepts` rejects, and no count that includes one.
 *
 * @throws InvalidOptionError if the ranker returned something else than a ranking
 */
export function rankAccepted(
  ranker: Pick<Ranker, 'rank'> & Partial<Pick<Ranker, 'name'>>,
  query: WordsQuery,
  options: RankOptions,
): Ranking {
  const ranking = ranker.rank(query, options)
  if (!isRanking(ranking)) {
    const path = `the result of rank() of the ranker "${ranker.name}"`
    fail(ranking, path, 'return { hits: [{ tool, score }] }')
  }
  const { accepts } = options
  if (!accepts || ranking.hits.every(({ tool }) => accepts(tool))) return ranking
  const { total: _, ...rest } = ranking
  return { ...rest, hits: ranking.hits.filter(({ tool }) => accepts(tool)) }
}

function isRanking(value: unknown): boolean {
  return (
    isObject(value) &&
    Array.isArray(value.hits) &&
    value.hits.every((hit) => isObject(hit?.tool) && typeof hit.score === 'number')
  )
}
