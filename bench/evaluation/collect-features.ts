import type { Ranker, Ranking, Tool } from 'toolsearch'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'

/** Numbers by name that say how clear a match is. The same names for every query, and all finite. */
export type Features = Readonly<Record<string, number>>

export interface Observation {
  /** The first five tools. */
  readonly names: readonly string[]
  /** Absent without hits: there is nothing to be sure of. */
  readonly features?: Features
}

/** Ranks a query and describes how clear the match is. */
export function collectFeatures(
  ranker: Ranker,
  text: string,
  accepts?: (tool: Tool) => boolean,
): Observation {
  const query = parseQuery(text, { select: false, required: false })
  if (query.kind !== 'words') return { names: [] }
  const ranking: EvidentRanking = ranker.rank(query, {
    limit: 5,
    ties: 'catalogue',
    ...(accepts && { accepts }),
  })
  if (ranking.hits.length === 0) return { names: [] }
  return { names: ranking.hits.map(({ tool }) => tool.name), features: featuresOf(ranking) }
}

/** A ranking that may say what its confidence is estimated from. */
interface EvidentRanking extends Pick<Ranking, 'hits' | 'idealScore' | 'minConfidentScore'> {
  readonly evidence?: object
}

/** The evidence of the ranker or, if it has none, what the scores say. */
function featuresOf({ hits, idealScore, minConfidentScore, evidence }: EvidentRanking): Features {
  if (evidence) return { ...evidence } as Features
  const [best = 0, second = 0] = hits.map(({ score }) => score)
  const last = hits.at(-1)?.score ?? 0
  return {
    best,
    share: idealScore ? best / idealScore : 0,
    aboveMinimum: minConfidentScore ? Math.log1p(best / minConfidentScore) : 0,
    isDoubtful: best < (minConfidentScore ?? 0) ? 1 : 0,
    lead: (best - second) / best,
    spread: (best - last) / best,
  }
}
