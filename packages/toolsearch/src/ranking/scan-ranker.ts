import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranker, ScorePart } from './ranker.ts'
import { createTopHits } from './top-hits.ts'

/** Scores one tool at a time, independently of all others. */
export interface Scorer<Features> {
  readonly name: string
  /** Extracts what `score` needs from a tool. Called once per definition. */
  read(tool: Tool): Features
  score(query: WordsQuery, features: Features): readonly ScorePart[]
}

/** A ranker that applies a scorer to every tool. */
export function createScanRanker<Features>(scorer: Scorer<Features>): Ranker {
  // A Map keeps a replaced key in its place and appends one that was deleted and set again:
  // the order of the catalogue.
  const entries = new Map<string, { tool: Tool; features: Features }>()
  return {
    name: scorer.name,
    set: (tool) => void entries.set(tool.name, { tool, features: scorer.read(tool) }),
    delete: (name) => void entries.delete(name),
    rank(query, options) {
      const top = createTopHits(options)
      let place = 0
      for (const { tool, features } of entries.values()) {
        const score = sumWeights(scorer.score(query, features))
        if (score > 0) top.offer(tool, score, place)
        place++
      }
      if (!options.explain) return { hits: top.hits() }
      return {
        hits: top.hits(),
        total: top.total(),
        rejected: top.rejected(),
        explain(name) {
          const entry = entries.get(name)
          return entry ? scorer.score(query, entry.features) : []
        },
      }
    },
  }
}

function sumWeights(parts: readonly ScorePart[]): number {
  let sum = 0
  for (const part of parts) sum += part.weight
  return sum
}
