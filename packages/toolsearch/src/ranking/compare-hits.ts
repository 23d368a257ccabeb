import { compareNames } from '../catalogue/compare-names.ts'
import type { ScoredTool, TieBreak } from './ranker.ts'

/**
 * Orders hits of several rankings, best first.
 *
 * @param placeOf the position of a tool in the catalogue; without it, a stable sort keeps equal scores
 */
export function compareHits(
  ties: TieBreak,
  placeOf: (name: string) => number = () => 0,
): (a: ScoredTool, b: ScoredTool) => number {
  return (a, b) => {
    if (a.score !== b.score) return b.score - a.score
    const [one, other] = [a.tool.name, b.tool.name]
    return ties === 'catalogue' ? placeOf(one) - placeOf(other) : compareNames(one, other)
  }
}
