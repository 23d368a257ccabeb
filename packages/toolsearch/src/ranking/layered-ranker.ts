import { compareNames } from '../catalogue/compare-names.ts'
import type { WordsQuery } from '../query/query.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { OtherLayer, Ranker, Ranking, RankOptions, ScoredTool, TieBreak } from './ranker.ts'

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
export function layeredRanker(options: LayeredRankerOptions): Pick<Ranker, 'rank' | 'prepare'> {
  const { base, own, isOwn, placeOf } = options
  return {
    async prepare(text) {
      await Promise.all([base.prepare?.(text), own.prepare?.(text)])
    },
    rank(query, options) {
      const lower = rankBase(query, options)
      const upper = rankOwn(query, options, lower)
      const scale = scaleOf(lower, upper)
      const scaled = upper.hits.map(({ tool, score }) => ({ tool, score: score * scale }))
      const hits = [...lower.hits, ...scaled].sort(compareBy(options.ties)).slice(0, options.limit)
      const { confidence, minConfidentScore, closerTopic } = boundsOf(lower, upper, scale)
      return {
        hits,
        ...(lower.idealScore !== undefined && { idealScore: lower.idealScore }),
        ...(confidence !== undefined && { confidence }),
        ...(minConfidentScore !== undefined && { minConfidentScore }),
        ...(closerTopic !== undefined && { closerTopic }),
        ...(lower.total !== undefined &&
          upper.total !== undefined && { total: lower.total + upper.total }),
        ...(options.explain && {
          explain: (name: string) =>
            isOwn(name)
              ? (upper.explain?.(name) ?? []).map((part) => ({
                  ...part,
                  weight: part.weight * scale,
                }))
              : (lower.explain?.(name) ?? []),
        }),
      }
    },
  }

  function rankBase(query: WordsQuery, options: RankOptions): Ranking {
    const { accepts } = options
    const otherLayer: OtherLayer = { terms: base.terms }
    const peaks = own.peaks?.(query, { ...(accepts && { accepts }), otherLayer })
    return rankAccepted(base, query, {
      ...options,
      accepts: (tool) => !isOwn(tool.name) && (accepts?.(tool) ?? true),
      otherLayer: { terms: own.terms, peaks },
    })
  }

  function rankOwn(query: WordsQuery, options: RankOptions, { peaks }: Ranking): Ranking {
    return rankAccepted(own, query, {
      ...options,
      // `own` does not know the places of its tools among those of `base`
      limit: options.ties === 'catalogue' ? Number.POSITIVE_INFINITY : options.limit,
      otherLayer: { terms: base.terms, peaks },
    })
  }

  function compareBy(ties: TieBreak): (a: ScoredTool, b: ScoredTool) => number {
    return (a, b) => {
      if (a.score !== b.score) return b.score - a.score
      const [one, other] = [a.tool.name, b.tool.name]
      return ties === 'catalogue' ? placeOf(one) - placeOf(other) : compareNames(one, other)
    }
  }
}

function scaleOf({ idealScore: lower }: Ranking, { idealScore: upper }: Ranking): number {
  return lower === undefined || upper === undefined ? 1 : lower / upper
}

/** Whether to doubt the best hit is up to the ranker that found it. */
function boundsOf(
  lower: Ranking,
  upper: Ranking,
  scale: number,
): Pick<Ranking, 'confidence' | 'minConfidentScore' | 'closerTopic'> {
  // with peaks, `lower` takes both layers into account
  const isUpper = !lower.peaks && bestOf(upper) * scale > bestOf(lower)
  if (!isUpper) return lower
  const { confidence, minConfidentScore, closerTopic } = upper
  return {
    ...(confidence !== undefined && { confidence }),
    ...(minConfidentScore !== undefined && { minConfidentScore: minConfidentScore * scale }),
    ...(closerTopic !== undefined && { closerTopic }),
  }
}

function bestOf({ hits }: Ranking): number {
  return hits[0]?.score ?? 0
}
