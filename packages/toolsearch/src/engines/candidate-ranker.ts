import type { Tool } from '../catalogue/tool.ts'
import type { Ranker, RankOptions } from '../ranking/ranker.ts'
import { ruleRanker } from '../ranking/rule-ranker.ts'
import { joinStatistics, otherTools, type TermKnowledge } from './term-knowledge.ts'
import type { ToolIndex } from './tool-index.ts'

export interface CandidateRankerOptions {
  readonly index: ToolIndex
  /** The tools to rank: those that the engine has found for the query. */
  tools(): readonly Tool[]
  /** What the engine says about the terms of the query. */
  knowledge(): TermKnowledge
}

/**
 * Ranks the candidates of an engine as if all tools of the engine were in the index: the weight of a
 * word depends on how many tools of the engine contain it.
 */
export function candidateRanker({ index, tools, knowledge }: CandidateRankerOptions): Ranker {
  const { ranker } = index
  const { terms: indexed } = ranker
  let included:
    | { readonly candidates: readonly Tool[]; readonly isCandidate: (tool: Tool) => boolean }
    | undefined
  const core: Ranker = {
    name: ranker.name,
    set() {},
    delete() {},
    ...(ranker.prepare && { prepare: ranker.prepare }),
    ...(ranker.vectors && { vectors: ranker.vectors }),
    ...(ranker.vectorSums && { vectorSums: ranker.vectorSums }),
    ...(indexed && {
      terms: {
        vocabulary: {
          has: (term) => knowledge().vocabulary.has(term),
          startingWith: (prefix) => knowledge().vocabulary.startingWith(prefix),
          resembling: (word) => knowledge().vocabulary.resembling(word),
        },
        tools: () => knowledge().tools(),
        length: () => (indexed.length() / Math.max(1, indexed.tools())) * knowledge().tools(),
        frequency: (term) => knowledge().frequency(term),
      },
    }),
    ...(ranker.peaks && {
      peaks: (query, options) => ranker.peaks!(query, withCandidates(options)),
    }),
    rank(query, options) {
      // The index also has tools that this caller must not see.
      const { rejected: _, ...ranking } = ranker.rank(query, {
        ...options,
        ...withCandidates(options),
      })
      return ranking
    },
  }
  return index.hasRules ? ruleRanker(core) : core

  /** The rest of the index has no influence: this caller may not even know about it. */
  function withCandidates({ accepts, otherLayer }: Pick<RankOptions, 'accepts' | 'otherLayer'>) {
    const isCandidate = include()
    const others = indexed && otherTools(knowledge(), indexed.among?.(isCandidate) ?? indexed)
    return {
      accepts: accepts ? (tool: Tool) => isCandidate(tool) && accepts(tool) : isCandidate,
      isVisible: isCandidate,
      otherLayer: others
        ? { ...otherLayer, terms: joinStatistics(others, otherLayer?.terms) }
        : (otherLayer ?? {}),
    }
  }

  /** Puts the candidates in the index. Returns the same function until there are others. */
  function include(): (tool: Tool) => boolean {
    const candidates = tools()
    index.include(candidates)
    if (included?.candidates !== candidates) {
      const known = new Set(candidates)
      included = { candidates, isCandidate: (tool) => known.has(tool) }
    }
    return included.isCandidate
  }
}
