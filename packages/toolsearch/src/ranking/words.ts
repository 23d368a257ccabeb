import { splitIdentifier } from './split-identifier.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
// scripts whose words are not set apart by spaces, and Hangul, whose endings are
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const ASCII_LOWER = /^[a-z]+$/

/** One written word: itself in lower case, and the smaller words it may be made of. */
export interface Word {
  readonly whole: string
  readonly pieces: readonly string[]
}

const known = new Map<string, readonly Word[]>()
const MAX_KNOWN = 50_000
const MAX_KNOWN_LENGTH = 40

/**
 * The words of a text in any script. `getHTTPServer` is whole and also `get`, `http`, `server`;
 * a run of Chinese is cut into overlapping pairs and the words that `Intl.Segmenter` sees in it.
 * `_`, `.`, `-` and other punctuation separate words.
 */
export function* wordsOf(text: string): Generator<Word> {
  // one way of writing each character, or an accent typed separately would hide a word
  for (const [written] of text.normalize('NFKC').matchAll(WORD)) yield* readWritten(written)
}

function readWritten(written: string): readonly Word[] {
  let words = known.get(written)
  if (words === undefined) {
    words = ASCII_LOWER.test(written) ? [{ whole: written, pieces: [] }] : takeApart(written)
    if (written.length > MAX_KNOWN_LENGTH) return words
    // the same few thousand words make up any catalogue; a flood of others must not stay
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(written, words)
  }
  return words
}

function takeApart(written: string): Word[] {
  const words: Word[] = []
  let from = 0
  for (const run of written.matchAll(UNSPACED)) {
    addSpaced(written.slice(from, run.index))
    for (const piece of unspacedPieces(run[0])) words.push({ whole: piece, pieces: [] })
    from = run.index + run[0].length
  }
  addSpaced(written.slice(from))
  return words

  function addSpaced(part: string): void {
    if (part === '') return
    const pieces = splitIdentifier(part)
    words.push({
      whole: part.toLowerCase(),
      pieces: pieces.length > 1 ? withNumbered(pieces.map((piece) => piece.toLowerCase())) : [],
    })
  }
}

/** `s`, `3`, `bucket` are also `s3`: what people call it. */
function withNumbered(pieces: readonly string[]): string[] {
  return pieces.flatMap((piece, at) => {
    const before = pieces[at - 1]
    const isNumber = before !== undefined && pieces.length > 2 && /^\p{N}/u.test(piece)
    return isNumber ? [piece, before + piece] : [piece]
  })
}

let segmenter: Intl.Segmenter | undefined
// a segmenter's time grows with the square of the text
const MAX_SEGMENTED = 200

function unspacedPieces(run: string): Set<string> {
  const characters = [...run]
  if (characters.length === 1) return new Set(characters)
  const pieces = new Set<string>()
  for (let i = 0; i + 1 < characters.length; i++) pieces.add(characters[i]! + characters[i + 1]!)
  // not every runtime has a segmenter; the pairs alone still find most things
  if (typeof Intl.Segmenter !== 'function') return pieces
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  for (let from = 0; from < characters.length; from += MAX_SEGMENTED) {
    const part = characters.slice(from, from + MAX_SEGMENTED).join('')
    for (const { segment } of segmenter.segment(part)) {
      if ([...segment].length > 2) pieces.add(segment)
    }
  }
  return pieces
}
