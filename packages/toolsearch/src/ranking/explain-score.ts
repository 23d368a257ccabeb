import type { IndexScheme } from './index-scheme.ts'
import type { IndexStore } from './index-store.ts'
import type { ScorePart } from './ranker.ts'
import type { WeighedTerm, WeighedWord } from './weigh-words.ts'

/** A query as a ranking has scored it. */
export interface ScoredQuery {
  readonly name: string
  readonly words: readonly WeighedWord[]
  /** The bonus of each tool whose name is the query, by slot. */
  readonly bonuses: ReadonlyMap<number, number>
  readonly averageLength: number
}

/** Lists the parts that the score of a tool consists of: the ones that the ranking has added up. */
export function explainScore(
  slot: number,
  { name, words, bonuses, averageLength }: ScoredQuery,
  { index, reader, slots, nameSize, dampingAt }: IndexStore,
  { nameCoverage }: IndexScheme,
): readonly ScorePart[] {
  const damping = dampingAt(averageLength)[slot]!
  const tool = slots.tools[slot]!
  const matches: Match[] = []
  const found: string[] = []
  let inName = 0
  for (const { word, terms } of words) {
    let best: Match | undefined
    for (const alternative of terms) {
      const stored = index.weight(alternative.number, slot)
      if (stored < 0 && alternative.match === 'word') inName++
      const weight = Math.abs(stored)
      const score = (alternative.gain * weight) / (weight + damping)
      if (score > (best?.score ?? 0)) best = { word, alternative, score }
    }
    if (best === undefined) continue
    matches.push(best)
    found.push(best.alternative.term)
  }
  const shares = found.length > 0 ? reader.fieldShares(tool, found) : []
  const parts: ScorePart[] = []
  let sum = 0
  const add = (part: ScorePart) => {
    sum += part.weight
    parts.push(part)
  }
  for (const [at, { word, alternative, score }] of matches.entries()) {
    const { term, match } = alternative
    for (const { field, share } of shares[at]!) {
      const weight = score * share
      if (term === word) add({ term: word, field, match, weight })
      else add({ term: word, found: term, field, match, weight })
    }
  }
  const bonus = bonuses.get(slot)
  if (bonus !== undefined) add({ term: name, field: 'name', match: 'exact', weight: bonus })
  const weight = sum * nameCoverage * (inName / nameSize(slot))
  if (weight > 0) add({ term: tool.name, field: 'name', match: 'coverage', weight })
  return parts
}

/** The alternative of a query word that scores best on a tool. */
interface Match {
  readonly word: string
  readonly alternative: WeighedTerm
  readonly score: number
}
