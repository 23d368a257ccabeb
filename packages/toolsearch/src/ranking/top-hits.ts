import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { RankOptions, ScoredTool } from './ranker.ts'

interface Candidate extends ScoredTool {
  readonly place: number
}

/**
 * Keeps the best `limit` of the tools it is offered, in order. A tool that cannot make the list
 * costs one comparison, so that `accepts` is asked only of those that can.
 */
export interface TopHits {
  offer(tool: Tool, score: number, place: number): void
  hits(): ScoredTool[]
}

export function createTopHits({ limit, ties, accepts }: RankOptions): TopHits {
  const best: Candidate[] = []
  return {
    offer(tool, score, place) {
      const candidate = { tool, score, place }
      if (limit < 1) return
      if (best.length === limit && isBefore(best[limit - 1]!, candidate)) return
      if (accepts && !accepts(tool)) return
      let at = best.length
      while (at > 0 && isBefore(candidate, best[at - 1]!)) at--
      best.splice(at, 0, candidate)
      if (best.length > limit) best.pop()
    },
    hits: () => best.map(({ tool, score }) => ({ tool, score })),
  }

  function isBefore(a: Candidate, b: Candidate): boolean {
    if (a.score !== b.score) return a.score > b.score
    if (ties === 'catalogue') return a.place < b.place
    return compareNames(a.tool.name, b.tool.name) < 0
  }
}
