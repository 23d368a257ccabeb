import { splitIdentifier } from './split-identifier.ts'
import { unspacedWords } from './unspaced-words.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7f]/
// Scripts that write words without spaces, and Hangul, which attaches endings to words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
// The first script of UNSPACED is at U+0E00. This expression is much simpler.
const MAYBE_UNSPACED = /[\u0e00-\uffff]/
const NOT_COMPOUND = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/

/** A word in lower case, and the smaller words it is composed of, if any. */
export interface Word {
  readonly whole: string
  readonly pieces: readonly string[]
  /** How much it counts relative to other words, 0 to 1. @default 1 */
  readonly weight?: number
}

/**
 * Splits a text in any script into words. `getHTTPServer` has the pieces `get`, `http` and `server`.
 * A run without spaces becomes the words that `unspacedWords` finds. `_`, `.`, `-` and other
 * punctuation separate words.
 */
export function wordsOf(text: string): Word[] {
  return rawWords(text).flatMap(parseRawWord)
}

/** The runs of letters and digits of a text, in Unicode normal form NFKC. */
export function rawWords(text: string): string[] {
  // Most texts are ASCII, and splitting those takes half the time.
  if (!NOT_ASCII.test(text)) return text.match(ASCII_WORD) ?? []
  return text.normalize('NFKC').match(WORD) ?? []
}

/** The words in a run of letters and digits: several in a script without spaces. */
export function parseRawWord(raw: string): readonly Word[] {
  return NOT_COMPOUND.test(raw) ? [{ whole: raw.toLowerCase(), pieces: [] }] : splitCompound(raw)
}

function splitCompound(raw: string): Word[] {
  const words: Word[] = []
  let from = 0
  for (const run of MAYBE_UNSPACED.test(raw) ? raw.matchAll(UNSPACED) : []) {
    addSpaced(raw.slice(from, run.index))
    words.push(...unspacedWords(run[0]))
    from = run.index + run[0].length
  }
  addSpaced(raw.slice(from))
  return words

  function addSpaced(part: string): void {
    if (part === '') return
    const whole = part.toLowerCase()
    const pieces = withNumbers(splitIdentifier(part).map((piece) => piece.toLowerCase()))
    words.push({ whole, pieces: pieces.filter((piece) => piece !== whole) })
  }
}

/** Joins numbers with the preceding word: `s3` is one word, `oauth2` is also `oauth` and `2`. */
function withNumbers(pieces: readonly string[]): string[] {
  const words: string[] = []
  for (const piece of pieces) {
    const before = words.at(-1)
    if (before === undefined || !/^\p{N}/u.test(piece)) words.push(piece)
    else if (before.length <= 2) words[words.length - 1] = before + piece
    else words.push(piece, before + piece)
  }
  return words
}
