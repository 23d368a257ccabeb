import type { Tool } from '../catalogue/tool.ts'
import { stem } from '../words/stem.ts'
import { synonymsOf } from '../words/synonyms.ts'
import { type ToolWord, tellingWords, toolWords, type WordFrequencies } from './catalogue-words.ts'

/** The beginning of a query that is a whole document says what it is about. */
const MAX_QUERY = 1_000
const MAX_WORDS = 3
/** More common words do not tell tools apart. */
const MAX_SHARE = 0.3
/** A word of the query that this share of the tools contains, such as "get", relates to anything. */
const MAX_MATCH_SHARE = 0.1
/** The weight of a word of the query, and of a word in a name, compared with other words. */
const MATCH_WEIGHT = 3
const NAME_WEIGHT = 2
/** How slowly the weight of a tool falls with its rank. */
const RANK_OFFSET = 5

/**
 * A query in the words of the catalogue, for a query that found nothing sure. It consists of words
 * that occur together in tools that rank next, so that it finds other tools than those already shown.
 * One of its words is in the query, or is a synonym of one that is.
 *
 * @param next the tools that rank after those shown, best first
 * @param frequencies tells common words from rare ones
 * @returns undefined if no such words exist
 *
 * @example
 * suggestQuery('is my holiday paid back if I fall ill', next, frequencies) // 'request leave'
 */
export function suggestQuery(
  query: string,
  next: readonly Tool[],
  { tools: count, frequency }: WordFrequencies,
): string | undefined {
  const asked = new Set<string>()
  for (const word of tellingWords(query.slice(0, MAX_QUERY))) {
    for (const key of [stem(word), ...synonymsOf(stem(word))]) asked.add(key)
  }
  if (asked.size === 0) return undefined
  let group = next.map((tool, at) => ({ words: toolWords(tool), weight: 1 / (at + RANK_OFFSET) }))
  const chosen: string[] = []
  while (chosen.length < MAX_WORDS && (group.length > 1 || chosen.length < 2)) {
    const word = bestWord()
    if (word === undefined) break
    chosen.push(word)
    group = group.filter(({ words }) => words.has(word))
  }
  if (chosen.length < 2 || !chosen.some(isTelling)) return undefined
  // in the order in which a tool has them, they read like a phrase
  const { words } = group[0]!
  const order = [...words.keys()]
  return chosen
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((key) => words.get(key)!.word)
    .join(' ')

  function bestWord(): string | undefined {
    const gains = new Map<string, { gain: number; tools: number }>()
    for (const { words, weight } of group) {
      for (const [key, word] of words) {
        if (!isEligible(key, word)) continue
        const found = gains.get(key) ?? { gain: 0, tools: 0 }
        found.gain += weight * weightOf(key, word)
        found.tools++
        gains.set(key, found)
      }
    }
    let best: string | undefined
    let most = 0
    for (const [key, { gain, tools }] of gains) {
      // the first word has to stand for several tools
      if (chosen.length === 0 && tools < 2) continue
      if (gain > most) [best, most] = [key, gain]
    }
    return best
  }

  function isEligible(key: string, { isInName }: ToolWord): boolean {
    if (!isInName && !asked.has(key)) return false
    if (frequency(key) > MAX_SHARE * count) return false
    return !chosen.includes(key) && !chosen.some((other) => synonymsOf(other).includes(key))
  }

  function weightOf(key: string, { isInName }: ToolWord): number {
    const rarity = Math.log(1 + count / frequency(key))
    return rarity * (isInName ? NAME_WEIGHT : 1) * (asked.has(key) ? MATCH_WEIGHT : 1)
  }

  function isTelling(key: string): boolean {
    return asked.has(key) && frequency(key) <= Math.max(3, MAX_MATCH_SHARE * count)
  }
}
