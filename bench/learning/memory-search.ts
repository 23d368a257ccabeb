import { createToolSearch, type Tool, type ToolSearch, unified } from 'toolsearch'
import { createLearning, type Learning, type SearchRanker } from 'toolsearch/learning'
import { fieldedRanker, hybridRanker, type Ranker, type Ranking } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'

export const RANKERS: Readonly<Record<string, () => Ranker>> = {
  keywords: () => fieldedRanker(),
  hybrid: () => hybridRanker({ vectors: loadStaticEmbedder() }),
}

/** One index with an exchangeable memory. It returns the best five for every query, however doubtful. */
export interface MemorySearch {
  readonly toolSearch: ToolSearch
  /** Searches and calls use this memory from now on. Undefined: none. */
  use(memory: Learning | undefined): void
}

/**
 * Keeps what the ranker returns for a query, without what was learned. Many memories are asked for the
 * same queries, so this saves most of the time.
 */
export function openMemorySearch(tools: readonly Tool[], ranker: string): MemorySearch {
  const rankings = new Map<string, Ranking>()
  let memory: Learning | undefined
  const unused = createLearning()
  const learning: Learning = {
    ...unused,
    ranker(ranker, caller) {
      const kept = keepRankings(ranker)
      return memory ? memory.ranker(kept, caller) : kept
    },
    follow: (person) => (memory ?? unused).follow(person),
  }
  const toolSearch = createToolSearch({
    tools,
    ranker: RANKERS[ranker]!,
    selection: { band: 0, confidence: { ...unified.selection.confidence, doubtful: 0 } },
    validate: () => [],
    activation: 'always',
    learning,
  })
  return {
    toolSearch,
    use(other) {
      memory = other
    },
  }

  function keepRankings(ranker: SearchRanker): SearchRanker {
    return {
      ...ranker,
      rank(query, options) {
        const key = `${options.limit} ${query.text}`
        const ranking = rankings.get(key) ?? ranker.rank(query, options)
        rankings.set(key, ranking)
        return ranking
      },
    }
  }
}
