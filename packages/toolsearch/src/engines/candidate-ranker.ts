import type { Tool } from '../catalogue/tool.ts'
import type { Ranker, RankOptions } from '../ranking/ranker.ts'
import { ruleRanker } from '../ranking/rule-ranker.ts'
import { joinStatistics, otherTools, type TermKnowledge } from './term-knowledge.ts'
import type { ToolIndex } from './tool-index.ts'

export interface CandidateRankerOptions {
  readonly index: ToolIndex
  /** The tools to rank: those that the engine has found for the query. */
  tools(): readonly Tool[]
  readonly knowledge: TermKnowledge
}

/**
 * Ranks the candidates of an engine as if all tools of the engine were in the index: the weight of a
 * word depends on how many tools of the engine contain it.
 */
export function candidateRanker({ index, tools, knowledge }: CandidateRankerOptions): Ranker {
  const { ranker } = index
  const { terms: indexed } = ranker
  let isCandidate: (tool: Tool) => boolean
  let candidates: readonly Tool[] | undefined
  const core: Ranker = {
    name: ranker.name,
    set() {},
    delete() {},
    ...(ranker.prepare && { prepare: ranker.prepare }),
    ...(ranker.vectors && { vectors: ranker.vectors }),
    ...(ranker.vectorSums && { vectorSums: ranker.vectorSums }),
    ...(indexed && {
      terms: {
        ...knowledge,
        length: () => (indexed.length() / Math.max(1, indexed.tools())) * knowledge.tools(),
      },
    }),
    ...(ranker.peaks && {
      peaks: (query, options) => ranker.peaks!(query, { ...options, ...among(options) }),
    }),
    rank: (query, options) => ranker.rank(query, { ...options, ...among(options) }),
  }
  return index.hasRules ? ruleRanker(core) : core

  /** The rest of the index has no influence: this caller may not even know about it. */
  function among({ accepts, otherLayer }: Pick<RankOptions, 'accepts' | 'otherLayer'>) {
    include()
    const others = indexed && otherTools(knowledge, indexed.among?.(isCandidate) ?? indexed)
    return {
      accepts: accepts ? (tool: Tool) => isCandidate(tool) && accepts(tool) : isCandidate,
      isVisible: isCandidate,
      otherLayer: others
        ? { ...otherLayer, terms: joinStatistics(others, otherLayer?.terms) }
        : (otherLayer ?? {}),
    }
  }

  function include(): void {
    index.include(tools())
    // the same function until there are other candidates, so that rankers can keep what depends on it
    if (candidates === tools()) return
    candidates = tools()
    const known = new Set(candidates)
    isCandidate = (tool) => known.has(tool)
  }
}
