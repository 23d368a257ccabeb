import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranker, ScorePart } from './ranker.ts'
import { createTopHits } from './top-hits.ts'

/** A scorer that looks at one tool at a time and needs to know nothing of the others. */
export interface Scorer<Card> {
  readonly name: string
  /** What of a tool is worth reading once and keeping. */
  read(tool: Tool): Card
  score(query: WordsQuery, card: Card): readonly ScorePart[]
}

/** Makes a ranker of a scorer by trying every tool in turn. */
export function createScanRanker<Card>(scorer: Scorer<Card>): Ranker {
  // a Map keeps a replaced key in its place and puts a deleted one last when it returns,
  // which is the catalogue's order too
  const entries = new Map<string, { tool: Tool; card: Card }>()
  return {
    name: scorer.name,
    set: (tool) => void entries.set(tool.name, { tool, card: scorer.read(tool) }),
    delete: (name) => void entries.delete(name),
    rank(query, options) {
      const top = createTopHits(options)
      let place = 0
      for (const { tool, card } of entries.values()) {
        const score = total(scorer.score(query, card))
        if (score > 0) top.offer(tool, score, place)
        place++
      }
      return { hits: top.hits() }
    },
    explain(query, name) {
      const entry = entries.get(name)
      return entry ? scorer.score(query, entry.card) : []
    },
  }
}

function total(parts: readonly ScorePart[]): number {
  let sum = 0
  for (const part of parts) sum += part.weight
  return sum
}
