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

// enough candidates beyond the limit that sorting them is rare
const SPARE = 64

export function createTopHits({ limit, ties, accepts }: RankOptions): TopHits {
  const best: Candidate[] = []
  let worst: Candidate | undefined
  let floor = 0
  return {
    offer(tool, score, place) {
      // nearly all that is offered ends here, so it must cost nothing
      if (score < floor || limit < 1) return
      const candidate = { tool, score, place }
      if (worst && compare(worst, candidate) < 0) return
      if (accepts && !accepts(tool)) return
      best.push(candidate)
      if (best.length === (worst ? limit + SPARE : limit)) cut()
    },
    hits() {
      cut()
      return best.map(({ tool, score }) => ({ tool, score }))
    },
  }

  function cut(): void {
    best.sort(compare)
    best.splice(Math.max(limit, 0))
    if (best.length < limit) return
    worst = best.at(-1)
    floor = worst?.score ?? 0
  }

  function compare(a: Candidate, b: Candidate): number {
    if (a.score !== b.score) return b.score - a.score
    return ties === 'catalogue' ? a.place - b.place : compareNames(a.tool.name, b.tool.name)
  }
}
