import type { WordsQuery } from '../query/query.ts'
import { compareHits } from './compare-hits.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { OtherLayer, Ranker, Ranking, RankOptions, ScoredTool } from './ranker.ts'
import { type RankingTrust, trustIn } from './ranking-trust.ts'
import { scaleParts } from './reorder.ts'
import { coreOf, rankByRules } from './rule-ranker.ts'

export interface LayeredRankerOptions {
  readonly base: Ranker
  /** Ranks the tools on top. Must be of the same kind as `base`. */
  readonly own: Ranker
  /** Whether a tool on top has this name. It replaces the tool of that name in `base`. */
  isOwn(name: string): boolean
  /** The position of a tool in the order of both layers together. */
  placeOf(name: string): number
}

/**
 * Ranks the tools of two rankers together, without changing either. Rankers with `terms` score as if
 * all tools were in one ranker. Others are merged by score; if both know an ideal score, those of
 * `own` are scaled to the one of `base`.
 */
export function layeredRanker(
  options: LayeredRankerOptions,
): Pick<Ranker, 'rank' | 'prepare' | 'vectors'> {
  const { isOwn, placeOf } = options
  // Rules look at all hits together, so they are applied to the merged ranking.
  const cores = { base: coreOf(options.base), own: coreOf(options.own) }
  const hasRules = cores.base !== undefined && cores.own !== undefined
  const base = hasRules ? cores.base! : options.base
  const own = hasRules ? cores.own! : options.own
  const merged: Pick<Ranker, 'rank'> = {
    rank(query, options) {
      const lower = rankBase(query, options)
      const upper = rankOwn(query, options, lower)
      const scale = scaleOf(lower, upper)
      const merge = (below: readonly ScoredTool[], above: readonly ScoredTool[]) =>
        [...below, ...above.map(({ tool, score }) => ({ tool, score: score * scale }))]
          .sort(compareHits(options.ties, placeOf))
          .slice(0, options.limit)
      return {
        hits: merge(lower.hits, upper.hits),
        ...(options.explain && {
          rejected: merge(
            (lower.rejected ?? []).filter(({ tool }) => !isOwn(tool.name)),
            upper.rejected ?? [],
          ),
        }),
        ...(lower.idealScore !== undefined && { idealScore: lower.idealScore }),
        ...trustOf(lower, upper, scale),
        ...(lower.total !== undefined &&
          upper.total !== undefined && { total: lower.total + upper.total }),
        ...(options.explain && {
          explain: (name: string) =>
            isOwn(name)
              ? scaleParts(upper.explain?.(name) ?? [], scale)
              : (lower.explain?.(name) ?? []),
        }),
      }
    },
  }
  return {
    ...(options.base.vectors && { vectors: options.base.vectors }),
    async prepare(text) {
      await Promise.all([options.base.prepare?.(text), options.own.prepare?.(text)])
    },
    rank: hasRules ? (query, options) => rankByRules(merged, query, options) : merged.rank,
  }

  function rankBase(query: WordsQuery, options: RankOptions): Ranking {
    const { accepts, isVisible } = options
    const otherLayer: OtherLayer = {
      terms: termsOf(base, options),
      vectorSums: base.vectorSums?.(),
    }
    const peaks = own.peaks?.(query, {
      ...(accepts && { accepts }),
      ...(isVisible && { isVisible }),
      otherLayer,
    })
    return rankAccepted(base, query, {
      ...options,
      accepts: (tool) => !isOwn(tool.name) && (accepts?.(tool) ?? true),
      otherLayer: { terms: termsOf(own, options), peaks, vectorSums: own.vectorSums?.() },
    })
  }

  function rankOwn(query: WordsQuery, options: RankOptions, { peaks }: Ranking): Ranking {
    return rankAccepted(own, query, {
      ...options,
      // `own` does not know the places of its tools among those of `base`
      limit: options.ties === 'catalogue' ? Number.POSITIVE_INFINITY : options.limit,
      otherLayer: { terms: termsOf(base, options), peaks, vectorSums: base.vectorSums?.() },
    })
  }
}

/** What one layer tells the other about its terms. */
function termsOf({ terms }: Ranker, { isVisible }: RankOptions): Ranker['terms'] {
  return isVisible ? terms?.among?.(isVisible) : terms
}

function scaleOf({ idealScore: lower }: Ranking, { idealScore: upper }: Ranking): number {
  return lower === undefined || upper === undefined ? 1 : lower / upper
}

/** How much to trust the best hit is up to the ranker that found it. */
function trustOf(lower: Ranking, upper: Ranking, scale: number): RankingTrust {
  // with peaks, `lower` takes both layers into account
  const isUpper = !lower.peaks && bestOf(upper) * scale > bestOf(lower)
  const trust = trustIn(isUpper ? upper : lower)
  const { minConfidentScore } = trust
  if (minConfidentScore === undefined || !isUpper) return trust
  return { ...trust, minConfidentScore: minConfidentScore * scale }
}

function bestOf({ hits }: Ranking): number {
  return hits[0]?.score ?? 0
}
