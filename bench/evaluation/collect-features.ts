import type { Ranker, Tool } from 'toolsearch'
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
  const { hits, idealScore, minConfidentScore } = ranker.rank(query, {
    limit: 5,
    ties: 'catalogue',
    ...(accepts && { accepts }),
  })
  const [best = 0, second = 0] = hits.map(({ score }) => score)
  if (best === 0) return { names: [] }
  const last = hits.at(-1)!.score
  return {
    names: hits.map(({ tool }) => tool.name),
    features: {
      best,
      share: idealScore ? best / idealScore : 0,
      aboveMinimum: minConfidentScore ? Math.log1p(best / minConfidentScore) : 0,
      isDoubtful: best < (minConfidentScore ?? 0) ? 1 : 0,
      lead: (best - second) / best,
      spread: (best - last) / best,
    },
  }
}
