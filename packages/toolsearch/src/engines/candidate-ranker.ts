import type { Tool } from '../catalogue/tool.ts'
import type { OtherLayer, Ranker, RankOptions } from '../ranking/ranker.ts'
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
      peaks: (query, { accepts, otherLayer }) =>
        ranker.peaks!(query, { accepts: include(accepts), otherLayer: layerFor(otherLayer) }),
    }),
    rank(query, options) {
      // The index also has tools that this caller must not see.
      const { rejected: _, ...ranking } = ranker.rank(query, {
        ...options,
        accepts: include(options.accepts),
        otherLayer: layerFor(options.otherLayer),
      })
      return ranking
    },
  }
  return index.hasRules ? ruleRanker(core) : core

  function include(accepts: RankOptions['accepts']): (tool: Tool) => boolean {
    const candidates = tools()
    index.include(candidates)
    const isCandidate = new Set(candidates)
    return accepts
      ? (tool) => isCandidate.has(tool) && accepts(tool)
      : (tool) => isCandidate.has(tool)
  }

  function layerFor(given: OtherLayer | undefined): OtherLayer {
    if (indexed === undefined) return given ?? {}
    return { ...given, terms: joinStatistics(otherTools(knowledge(), indexed), given?.terms) }
  }
}
