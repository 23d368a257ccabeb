import { startsRun } from '../../packages/toolsearch/src/languages/split-text.ts'
import { stemKeys } from '../../packages/toolsearch/src/languages/word-key.ts'
import { type Alignment, NOTHING } from './align-words.ts'

/** A key of the lexicon, its English term, and how sure the translation is. */
export interface Entry {
  readonly key: string
  readonly english: string
  readonly share: number
  readonly count: number
}

/** Shares are those of a term's occurrences that its best English term accounts for. */
export interface Thresholds {
  readonly minCount: number
  /** For runs of three or more characters, which are often parts of two words. */
  readonly minLongRunCount: number
  readonly minShare: number
  readonly minStemShare: number
  readonly minRunShare: number
  /** For runs of a single character, which have many meanings. */
  readonly minCharacterShare: number
  /** A term that occurs this often with a lower share than that is a function word. */
  readonly function: { readonly minCount: number; readonly maxShare: number }
}

/** An English word in a foreign text that is the same in this share of translations stays. */
const KEPT_SHARE = 0.15

type Tally = Map<string, { count: number; types: number; english: Map<string, number> }>

/**
 * The best English term for each word, each stem and each run of characters. Leaves out what the
 * lookup finds without an entry: words that are the same in English, words whose stem has the same
 * translation, and runs whose parts have the same translation.
 */
export function chooseEntries(
  alignments: Iterable<ReadonlyMap<string, Alignment>>,
  thresholds: Thresholds,
): Entry[] {
  const words: Tally = new Map()
  const stems: Tally = new Map()
  for (const alignment of alignments) {
    for (const [term, found] of alignment) {
      add(words, term, found)
      if (startsRun(term)) continue
      for (const key of stemKeys(term)) add(stems, key, found)
    }
  }
  const chosen = new Map<string, Entry>()
  for (const [key, { count, types, english }] of stems) {
    const { term, share } = bestOf(english, count)
    if (types < 2 || count < 2 || term === NOTHING) continue
    if (share >= thresholds.minStemShare) chosen.set(key, { key, english: term, share, count })
  }
  // Shorter runs first, because longer ones are compared with them.
  const ordered = [...words].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  for (const [key, { count, english }] of ordered) {
    const isLongRun = startsRun(key) && [...key].length > 2
    if (count < (isLongRun ? thresholds.minLongRunCount : thresholds.minCount)) continue
    const { term, share } = bestOf(english, count)
    if (term !== key && (english.get(key) ?? 0) >= KEPT_SHARE * count) {
      chosen.set(key, { key, english: key, share, count })
      continue
    }
    const { minCount, maxShare } = thresholds.function
    const isFunctionWord = term === NOTHING || (count >= minCount && share < maxShare)
    if (isFunctionWord) chosen.set(key, { key, english: NOTHING, share, count })
    else if (share < minShareOf(key) || term === key) continue
    else if (startsRun(key) ? isRedundantRun(key, term) : isFoundByStem(key, term)) continue
    else chosen.set(key, { key, english: term, share, count })
  }
  return [...chosen.values()]

  function minShareOf(key: string): number {
    if (!startsRun(key)) return thresholds.minShare
    return [...key].length === 1 ? thresholds.minCharacterShare : thresholds.minRunShare
  }

  function isFoundByStem(word: string, english: string): boolean {
    const stem = stemKeys(word).find((key) => chosen.has(key))
    return stem !== undefined && chosen.get(stem)!.english === english
  }

  /** Whether the lookup without this run finds the same English word and no other. */
  function isRedundantRun(run: string, english: string): boolean {
    const characters = [...run]
    const found = new Set<string>()
    for (let from = 0; from < characters.length; ) {
      let length = Math.min(characters.length - 1, characters.length - from)
      while (length > 0 && !chosen.has(characters.slice(from, from + length).join(''))) length--
      const part = chosen.get(characters.slice(from, from + length).join(''))
      if (part && part.english !== NOTHING) found.add(part.english)
      from += Math.max(length, 1)
    }
    return found.size === 1 && found.has(english)
  }
}

function add(tally: Tally, key: string, { count, english }: Alignment): void {
  let entry = tally.get(key)
  if (entry === undefined) {
    entry = { count: 0, types: 0, english: new Map() }
    tally.set(key, entry)
  }
  entry.count += count
  entry.types++
  for (const [term, weight] of english) {
    entry.english.set(term, (entry.english.get(term) ?? 0) + weight)
  }
}

function bestOf(
  english: ReadonlyMap<string, number>,
  count: number,
): { term: string; share: number } {
  let term = NOTHING
  let most = 0
  for (const [one, weight] of english) {
    if (weight <= most) continue
    term = one
    most = weight
  }
  return { term, share: most / count }
}
