import type { Tool } from '../catalogue/tool.ts'
import { localName } from '../ranking/tool-fields.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordsOf } from '../words/words.ts'
import { firstSentence } from './first-sentence.ts'

/** A word as a tool writes it, and whether it is in the tool's name or only in its description. */
export interface ToolWord {
  readonly word: string
  readonly isInName: boolean
}

/** How many tools contain a word, given by its stem. */
export interface WordFrequencies {
  readonly tools: number
  frequency(stem: string): number
}

/** Words of scripts without spaces are overlapping pairs of characters, which nobody would write. */
const READABLE =
  /^(?=.*\p{L})[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2,30}$/u

/** Enough to tell rare words from common ones, and read in a few milliseconds. */
const MAX_TOOLS = 2_000

/** The words of a text that say something, in lower case and in order, with identifiers split. */
export function tellingWords(text: string): string[] {
  return wordsOf(text)
    .flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
    .filter((word) => READABLE.test(word) && !STOP_WORDS.has(word))
}

/** The words of a tool's name and of the first sentence of its description, by stem. */
export function toolWords(tool: Tool): ReadonlyMap<string, ToolWord> {
  const words = new Map<string, ToolWord>()
  add(`${localName(tool)} ${tool.title ?? ''}`, true)
  add(firstSentence(tool.description), false)
  return words

  function add(text: string, isInName: boolean): void {
    for (const word of tellingWords(text)) {
      const key = stem(word)
      if (!words.has(key)) words.set(key, { word, isInName })
    }
  }
}

const cache = new WeakMap<readonly Tool[], WordFrequencies>()

/** Counts the words of evenly spaced tools. Cached for as long as the list stays the same. */
export function wordFrequencies(tools: readonly Tool[]): WordFrequencies {
  const known = cache.get(tools)
  if (known) return known
  const step = Math.max(1, Math.ceil(tools.length / MAX_TOOLS))
  const read = tools.filter((_, at) => at % step === 0)
  const counts = new Map<string, number>()
  for (const tool of read) {
    for (const key of toolWords(tool).keys()) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  // a word that only tools in between contain is as rare as can be
  const frequencies = { tools: read.length, frequency: (key: string) => counts.get(key) ?? 1 }
  cache.set(tools, frequencies)
  return frequencies
}
