import { compareHits } from './compare-hits.ts'
import type { Ranking, RankOptions, ScoredTool } from './ranker.ts'
import { trustIn } from './ranking-trust.ts'

/** Words of the query itself say more than their translations. */
const PREFERENCE = 1.6

/**
 * Merges the rankings of a query and of its translation over different tools of one ranker. Scores
 * must be comparable: see `scaleOf`.
 */
export function mergeRankings(
  main: Ranking,
  other: Ranking,
  {
    limit,
    ties,
    placeOf,
  }: Pick<RankOptions, 'limit' | 'ties'> & { placeOf: (name: string) => number },
): Ranking {
  const merge = (some: readonly ScoredTool[] = [], others: readonly ScoredTool[] = []) =>
    [...some, ...others].sort(compareHits(ties, placeOf)).slice(0, limit)
  const total =
    main.total === undefined || other.total === undefined ? undefined : main.total + other.total
  return {
    ...mergeBounds(main, other),
    hits: merge(main.hits, other.hits),
    ...(main.rejected && { rejected: merge(main.rejected, other.rejected) }),
    ...(total !== undefined && { total }),
  }
}

/**
 * How many points of `main` one point of `other` is worth. Scores are shares of what a query could
 * reach, so an ideal score is worth the same in both.
 */
export function scaleOf(main: Bounds, other: Bounds): number {
  const { idealScore } = other
  const scale = main.idealScore === undefined || !idealScore ? 1 : main.idealScore / idealScore
  return scale / PREFERENCE
}

type Bounds = Omit<Ranking, 'hits' | 'total' | 'explain' | 'peaks'>

/** The bounds of the ranking that is sure of its best hit, or else has the better one. */
function mergeBounds(main: Ranking, other: Ranking): Bounds {
  const better = bestOf(other) > bestOf(main) ? other : main
  const sure = [main, other].filter(isSure)
  const { idealScore } = main
  return {
    ...(idealScore !== undefined && { idealScore }),
    ...trustIn(sure.length === 1 ? sure[0]! : better),
  }
}

/** The same ranking with scores in another unit. */
export function scaleRanking(ranking: Ranking, scale: number): Ranking {
  const { explain, minConfidentScore } = ranking
  if (scale === 1) return ranking
  const scaled = (hits: Ranking['hits']) =>
    hits.map(({ tool, score }) => ({ tool, score: score * scale }))
  return {
    ...ranking,
    hits: scaled(ranking.hits),
    ...(ranking.rejected && { rejected: scaled(ranking.rejected) }),
    ...(minConfidentScore !== undefined && { minConfidentScore: minConfidentScore * scale }),
    ...(explain && {
      explain: (name: string) =>
        explain(name).map((part) => ({ ...part, weight: part.weight * scale })),
    }),
  }
}

function isSure(ranking: Ranking): boolean {
  const best = bestOf(ranking)
  return best > 0 && best >= (ranking.minConfidentScore ?? 0)
}

function bestOf({ hits }: Ranking): number {
  return hits[0]?.score ?? 0
}
