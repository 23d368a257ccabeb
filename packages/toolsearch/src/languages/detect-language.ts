import { findHash } from './find-hash.ts'
import { hashKey } from './hash-key.ts'
import type { LexiconData } from './lexicon-format.ts'
import { foreignScript, type Script } from './script-of.ts'
import { splitText } from './split-text.ts'
import { wordKey } from './word-key.ts'

/** The language of a text that is not English. */
export interface TextLanguage {
  /** `latin`, or the script that tells the language. */
  readonly script: Script
  /** Codes of the languages it may be in, the most likely one first. Empty for other scripts. */
  readonly codes: readonly string[]
}

/** Weights of evidence are stored in steps of a tenth. */
const STEP = 0.1
/** How much more likely, as a logarithm, the other language has to be. */
const MARGIN = 4
/** A language with this share of the evidence for the best one is possible, too. */
const CLOSE = 0.6
/** The beginning of a text is enough to tell its language. */
const MAX_LENGTH = 1_000
const MAX_WORDS = 100
/** A word that may be English. Names start with a capital letter, and accents are rare. */
const PLAIN = /^[a-z]+$/

/**
 * Detects that a text is in another language than English: a fifth of its letters are in another
 * script, or its words are more typical of another language. Undefined if the text is English, too
 * short to tell, or in an unknown language.
 */
export function detectLanguage(
  text: string,
  { languages, evidence }: Pick<LexiconData, 'languages' | 'evidence'>,
): TextLanguage | undefined {
  const beginning = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text
  const script = foreignScript(beginning)
  if (script !== undefined) return { script, codes: [] }
  const scores = new Float64Array(languages.length)
  /** By language, how many words are typical of it. */
  const support = new Uint32Array(languages.length)
  let unknown = 0
  const words = splitText(beginning).filter((part) => part.kind === 'word')
  for (const { text: word } of words.slice(0, MAX_WORDS)) {
    const hash = hashKey(wordKey(word))
    const first = findHash(evidence, hash)
    if (first < 0 && PLAIN.test(word)) unknown++
    for (let at = first; evidence.hashes[at] === hash; at++) {
      const value = evidence.values[at]!
      scores[value >> 8]! += (value & 0xff) * STEP
      support[value >> 8]!++
    }
  }
  const [english, ...others] = scores
  const best = Math.max(...others)
  if (best < english! + MARGIN) return undefined
  // A single word next to unknown ones may be a typo: "desribe tabel" is not Dutch.
  if (unknown > 0 && support[scores.indexOf(best, 1)] === 1) return undefined
  const codes = languages
    .map((code, at) => ({ code, score: scores[at]! }))
    .slice(1)
    .filter(({ score }) => score >= CLOSE * best)
    .sort((a, b) => b.score - a.score)
    .map(({ code }) => code)
  return { script: 'latin', codes }
}
