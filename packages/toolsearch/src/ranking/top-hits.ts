import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { RankOptions, ScoredTool } from './ranker.ts'

interface Candidate extends ScoredTool {
  readonly place: number
}

/**
 * Keeps the best `limit` of the tools it is offered. A tool that cannot make the list costs one
 * comparison; `accepts` is called only for tools that can, unless `explain` requires the total.
 */
export interface TopHits {
  /** `place` is the tool's position in the order of arrival. */
  offer(tool: Tool, score: number, place: number): void
  /** No tool with a lower score can make the list. */
  floor(): number
  /** How many accepted tools were offered. Counted only with `explain`. */
  total(): number
  /** Best first. */
  hits(): ScoredTool[]
  /** The best of the tools that were not accepted although they are visible. Only with `explain`. */
  rejected(): ScoredTool[]
}

export function createTopHits({
  limit,
  ties,
  accepts,
  isVisible,
  explain = false,
}: RankOptions): TopHits {
  /** A heap with the worst candidate on top. */
  const heap: Candidate[] = []
  const others = explain && accepts ? createTopHits({ limit, ties }) : undefined
  let floor = 0
  let total = 0
  return {
    offer(tool, score, place) {
      if (explain) {
        if (!accepts || accepts(tool)) total++
        else if (isVisible?.(tool) ?? true) others!.offer(tool, score, place)
      }
      // Most offers end here, so this check comes before anything is allocated.
      if (score < floor || limit < 1) return
      const candidate = { tool, score, place }
      if (heap.length === limit && compare(heap[0]!, candidate) < 0) return
      if (accepts && !accepts(tool)) return
      if (heap.length < limit) rise(heap.push(candidate) - 1)
      else sink(candidate)
      if (heap.length === limit) floor = heap[0]!.score
    },
    floor: () => floor,
    total: () => total,
    hits: () => [...heap].sort(compare).map(({ tool, score }) => ({ tool, score })),
    rejected: () => others?.hits() ?? [],
  }

  function rise(from: number): void {
    let at = from
    const candidate = heap[at]!
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compare(heap[parent]!, candidate) >= 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = candidate
  }

  /** Replaces the worst candidate. */
  function sink(candidate: Candidate): void {
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (compare(heap[child]!, candidate) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = candidate
  }

  function compare(a: Candidate, b: Candidate): number {
    if (a.score !== b.score) return b.score - a.score
    return ties === 'catalogue' ? a.place - b.place : compareNames(a.tool.name, b.tool.name)
  }
}
