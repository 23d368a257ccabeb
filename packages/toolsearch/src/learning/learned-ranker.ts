import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { rankAccepted } from '../ranking/rank-accepted.ts'
import type { Ranker } from '../ranking/ranker.ts'
import { addLearned, DEPTH } from './add-learned.ts'
import type { Recalled } from './judge-evidence.ts'

/** A ranker as a search needs it. */
export type SearchRanker = Pick<Ranker, 'rank' | 'prepare' | 'vectors'>

export interface LearnedRankerOptions {
  readonly ranker: SearchRanker
  /** A tool that the caller may see. */
  readonly get: (name: string) => Tool | undefined
  /** What similar requests say. An empty map leaves the ranking as it is. */
  readonly recall: (query: WordsQuery) => ReadonlyMap<string, Recalled>
  /** Before the first search, and now and then after that. */
  readonly ready: () => Promise<void>
}

/**
 * Adds what similar requests used to a ranking. Comes after the rules, because it may add tools that
 * have nothing in common with the query.
 */
export function learnedRanker({ ranker, get, recall, ready }: LearnedRankerOptions): SearchRanker {
  return {
    ...(ranker.vectors && { vectors: ranker.vectors }),
    async prepare(text) {
      await Promise.all([ready(), ranker.prepare?.(text)])
    },
    rank(query, options) {
      const recalled = [...recall(query)].flatMap(([name, found]) => {
        const tool = get(name)
        const isAccepted = tool && (options.accepts?.(tool) ?? true)
        return isAccepted ? [{ tool, found }] : []
      })
      if (recalled.length === 0) return ranker.rank(query, options)
      const limit = Math.max(options.limit, DEPTH)
      const base = rankAccepted(ranker, query, { ...options, limit })
      return addLearned(base, recalled, query, options)
    },
  }
}
