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
  const matches = words.flatMap(({ word, terms }) => bestMatch(word, terms) ?? [])
  const found = matches.map(({ best }) => best.term)
  const tool = slots.tools[slot]!
  const shares = found.length > 0 ? reader.fieldShares(tool, found) : []
  const parts = matches.flatMap(({ word, best: { term, match }, score }, at) =>
    shares[at]!.map(
      ({ field, share }): ScorePart => ({
        term: word,
        ...(term !== word && { found: term }),
        field,
        match,
        weight: score * share,
      }),
    ),
  )
  const bonus = bonuses.get(slot)
  if (bonus !== undefined) parts.push({ term: name, field: 'name', match: 'exact', weight: bonus })
  const score = parts.reduce((sum, { weight }) => sum + weight, 0)
  const weight = score * nameCoverage * (wordsInName() / nameSize(slot))
  if (weight > 0) parts.push({ term: tool.name, field: 'name', match: 'coverage', weight })
  return parts

  function bestMatch(word: string, terms: readonly WeighedTerm[]) {
    let found: { word: string; best: WeighedTerm; score: number } | undefined
    for (const best of terms) {
      const weight = Math.abs(index.weight(best.number, slot))
      const score = (best.gain * weight) / (weight + damping)
      if (score > (found?.score ?? 0)) found = { word, best, score }
    }
    return found
  }

  function wordsInName(): number {
    const isInName = ({ number, match }: WeighedTerm) =>
      match === 'word' && index.weight(number, slot) < 0
    return words.reduce((count, { terms }) => count + terms.filter(isInName).length, 0)
  }
}
