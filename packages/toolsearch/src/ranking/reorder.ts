import type { Ranking, RankingRule, ScoredTool, ScorePart } from './ranker.ts'

/** A ranking whose hits a rule has put in another order, with scores that explanations add up to. */
export function reorder(ranking: Ranking, hits: readonly ScoredTool[], rule: RankingRule): Ranking {
  const { explain, rules = [] } = ranking
  const before = new Map(ranking.hits.map(({ tool, score }) => [tool.name, score]))
  const after = new Map(hits.map(({ tool, score }) => [tool.name, score]))
  return {
    ...ranking,
    hits,
    rules: [...rules, rule],
    ...(explain && {
      explain(name: string) {
        const factor = (after.get(name) ?? 1) / (before.get(name) ?? 1)
        return scaleParts(explain(name), factor)
      },
    }),
  }
}

/** The parts of a score that is multiplied by a factor. */
export function scaleParts(parts: readonly ScorePart[], factor: number): ScorePart[] {
  return parts.map((part) => ({ ...part, weight: part.weight * factor }))
}
