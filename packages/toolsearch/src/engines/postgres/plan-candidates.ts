import type { CandidateWord } from '../candidate-engine.ts'
import { isLexeme, quoteLexeme, strongLexeme } from './tool-lexemes.ts'

/** Which tools to score for a query. */
export interface CandidatePlan {
  /** A `tsquery` as text: the tools that can be among the best. */
  readonly seeds: string
  /** Further tools, if those are few: some that contain the most valuable word. */
  readonly others?: string
  /** The words to score, the most valuable first. */
  readonly words: readonly CandidateWord[]
}

/** Words beyond these hardly change which tools are among the best 500. */
const MAX_WORDS = 24
const MAX_TERMS = 4
/** Tools rarely contain two words independently of each other: more have both than chance would have. */
const CORRELATION = 4
/** If the chosen tools use less than this part of the budget, others are scored as well. */
const MIN_SHARE = 8
/** Pairs of the most valuable words. */
const PAIRED_WORDS = 6

interface SeedWord {
  readonly word: CandidateWord
  readonly any: string
  readonly strong: string
  readonly matches: number
  readonly strongMatches: number
  readonly gain: number
}

/**
 * Scoring a tool takes some microseconds, so only `budget` tools can be scored. Those with the rare
 * words of the query come first. Of a common word, only the tools count in which it has a high
 * impact, and those that contain two of the words.
 *
 * @param frequencyOf the number of tools with a lexeme
 * @param tools the number of all tools
 */
export function planCandidates(
  words: readonly CandidateWord[],
  frequencyOf: (lexeme: string) => number,
  { tools, budget }: { tools: number; budget: number },
): CandidatePlan | undefined {
  const seeds = words
    .map((word) => toSeed(word, frequencyOf))
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_WORDS)
  if (seeds.length === 0) return undefined
  const scored = seeds.map(({ word }) => word)
  const total = seeds.reduce((sum, { matches }) => sum + matches, 0)
  if (Math.min(total, tools) <= budget)
    return { seeds: anyOf(seeds.map(({ any }) => any)), words: scored }

  let left = budget
  const chosen: string[] = []
  const choose = (query: string, matches: number): boolean => {
    if (matches > left) return false
    if (matches === 0) return true
    chosen.push(query)
    left -= matches
    return true
  }
  const common = seeds.filter(({ any, matches }) => !choose(any, matches))
  // Whatever has every word is worth scoring.
  const all = seeds.map(({ any }) => any)
  if (all.length > 1) chosen.push(allOf(all))
  const pairs = pairsOf(seeds.slice(0, PAIRED_WORDS), new Set(common))
  for (const [one, other] of pairs) {
    const both = Math.min(one.matches, other.matches, expected(one.matches, other.matches))
    if (choose(allOf([one.any, other.any]), both)) continue
    const strong = Math.min(
      one.strongMatches,
      other.matches,
      expected(one.strongMatches, other.matches),
    )
    choose(allOf([one.strong, other.any]), strong)
  }
  for (const { strong, strongMatches } of common) choose(strong, strongMatches)
  const isFew = budget - left < budget / MIN_SHARE
  return {
    seeds: anyOf(chosen.length > 0 ? chosen : [seeds[0]!.any]),
    words: scored,
    ...(isFew && { others: seeds[0]!.any }),
  }

  function expected(one: number, other: number): number {
    return (CORRELATION * one * other) / Math.max(1, tools)
  }
}

function toSeed({ terms }: CandidateWord, frequencyOf: (lexeme: string) => number): SeedWord {
  const best = terms
    .filter(({ term }) => isLexeme(term))
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_TERMS)
  const lexemes = best.map(({ term }) => term)
  const strong = lexemes.map(strongLexeme)
  const sum = (list: readonly string[]) => list.reduce((all, each) => all + frequencyOf(each), 0)
  return {
    word: { terms: best },
    any: anyOf(lexemes.map(quoteLexeme)),
    strong: anyOf(strong.map(quoteLexeme)),
    matches: sum(lexemes),
    strongMatches: sum(strong),
    gain: best[0]?.gain ?? 0,
  }
}

/** Pairs with a word that is too common to stand alone, the most valuable first. */
function pairsOf(
  seeds: readonly SeedWord[],
  common: ReadonlySet<SeedWord>,
): readonly (readonly [SeedWord, SeedWord])[] {
  return seeds
    .flatMap((one, at) => seeds.slice(at + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => common.has(one) && common.has(other))
    .sort(([a, b], [c, d]) => c.gain + d.gain - a.gain - b.gain)
}

function anyOf(queries: readonly string[]): string {
  return `(${queries.join('|')})`
}

function allOf(queries: readonly string[]): string {
  return `(${queries.join('&')})`
}
