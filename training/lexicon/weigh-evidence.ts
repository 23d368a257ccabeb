import { splitText } from '../../packages/toolsearch/src/languages/split-text.ts'
import { wordKey } from '../../packages/toolsearch/src/languages/word-key.ts'
import type { Parallel } from './read-parallel.ts'

/** How typical a word is of a language, as a difference of logarithms. */
export interface WordEvidence {
  readonly language: string
  readonly word: string
  readonly weight: number
}

const MIN_COUNT = 3
const MIN_WEIGHT = 1
/** A single word can prove a language, unless it is also an English word. */
const MAX_WEIGHT = 5
const SHARED = { minCount: 2, discount: 2, maxWeight: 3.5 }
/** A word that one side lacks counts as if it occurred half a time in a text of its size. */
const SMOOTHING = 0.5
const LATIN = /^\p{Script=Latin}+$/u

/** The words that tell languages in Latin script from English, most frequent first. */
export function weighEvidence(
  pairs: readonly Parallel[],
  english: readonly string[],
  {
    languages,
    mostWords,
    mostEnglish,
  }: {
    readonly languages: readonly string[]
    readonly mostWords: number
    readonly mostEnglish: number
  },
): WordEvidence[] {
  const counts = new Map<string, Counts>(languages.map((language) => [language, counter()]))
  const ofEnglish = counter()
  for (const text of [...english, ...new Set(pairs.map((pair) => pair.english))]) {
    countWords(text, ofEnglish)
  }
  for (const { language, text } of pairs) {
    const found = counts.get(language)
    if (found) countWords(text, found)
  }
  const evidence: WordEvidence[] = []
  for (const [language, found] of counts) {
    const weighed = [...found.words]
      .filter(([, count]) => count >= MIN_COUNT)
      .map(([word]) => ({ language, word, weight: foreignWeight(word, found, ofEnglish) }))
      .filter(({ weight }) => weight >= MIN_WEIGHT)
    evidence.push(
      ...weighed
        .sort((a, b) => found.words.get(b.word)! - found.words.get(a.word)!)
        .slice(0, mostWords),
    )
  }
  const typical = [...ofEnglish.words]
    .filter(([, count]) => count >= MIN_COUNT)
    .map(([word]) => {
      const weights = [...counts.values()].map((found) => ratio(word, ofEnglish, found))
      return { language: 'en', word, weight: Math.min(...weights, MAX_WEIGHT) }
    })
    .filter(({ weight }) => weight >= MIN_WEIGHT / 2)
    .sort((a, b) => ofEnglish.words.get(b.word)! - ofEnglish.words.get(a.word)!)
  return [...typical.slice(0, mostEnglish), ...evidence]
}

function foreignWeight(word: string, found: Counts, ofEnglish: Counts): number {
  const weight = ratio(word, found, ofEnglish)
  const isShared = (ofEnglish.words.get(word) ?? 0) >= SHARED.minCount
  return isShared
    ? Math.min(weight - SHARED.discount, SHARED.maxWeight)
    : Math.min(weight, MAX_WEIGHT)
}

interface Counts {
  readonly words: Map<string, number>
  total: number
}

function counter(): Counts {
  return { words: new Map(), total: 0 }
}

function countWords(text: string, counts: Counts): void {
  for (const part of splitText(text)) {
    if (part.kind !== 'word' || !LATIN.test(part.text)) continue
    const word = wordKey(part.text)
    counts.words.set(word, (counts.words.get(word) ?? 0) + 1)
    counts.total++
  }
}

function ratio(word: string, one: Counts, other: Counts): number {
  const smallest = Math.min(one.total, other.total)
  const share = ({ words, total }: Counts) => (words.get(word) ?? 0) / total + SMOOTHING / smallest
  return Math.log(share(one) / share(other))
}
