import type { Ranker } from 'toolsearch/rankers'
import { labelsOf } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import type { TuningSet } from './tuning-sets.ts'

/** One value per query with relevant tools, in order. */
export interface SetScores {
  readonly recallAt1: readonly number[]
  readonly recallAt5: readonly number[]
}

/** Ranks the queries of a set as rankers alone do: no score band, ties in catalogue order. */
export function scoreSet(ranker: Ranker, { queries }: Pick<TuningSet, 'queries'>): SetScores {
  const scores = queries.map((query) => {
    const words = parseQuery(query.query, { select: false, required: false })
    const hits =
      words.kind === 'words' ? ranker.rank(words, { limit: 5, ties: 'catalogue' }).hits : []
    return scoreQuery(
      hits.map(({ tool }) => tool.name),
      labelsOf(query),
    )
  })
  return {
    recallAt1: scores.map(({ recallAt1 }) => recallAt1),
    recallAt5: scores.map(({ recallAt5 }) => recallAt5),
  }
}
