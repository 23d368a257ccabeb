import type { Ranking, RankingRule, ScoredTool, ScorePart } from './ranker.ts'

/** A ranking whose hits a rule has put in another order, with scores that explanations add up to. */
export function reorder(ranking: Ranking, hits: readonly ScoredTool[], rule: RankingRule): Ranking {
  const { explain, rules = [] } = ranking
  return {
    ...ranking,
    hits,
    rules: [...rules, rule],
    ...(explain && {
      explain(name: string) {
        const factor = scoreOf(hits, name) / scoreOf(ranking.hits, name)
        return scaleParts(explain(name), factor)
      },
    }),
  }
}

function scoreOf(hits: readonly ScoredTool[], name: string): number {
  return hits.find(({ tool }) => tool.name === name)?.score ?? 1
}

/** The parts of a score that is multiplied by a factor. */
export function scaleParts(parts: readonly ScorePart[], factor: number): ScorePart[] {
  return parts.map((part) => ({ ...part, weight: part.weight * factor }))
}
