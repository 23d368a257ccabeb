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

/**
 * The words of a text in any script. `getHTTPServer` is whole and also `get`, `http`, `server`;
 * a run of Chinese is cut into overlapping pairs and the words that `Intl.Segmenter` sees in it.
 * `_`, `.`, `-` and other punctuation separate words.
 */
export function* wordsOf(text: string): Generator<Word> {
  for (const [written] of text.matchAll(WORD)) yield* readWritten(written)
}

function readWritten(written: string): readonly Word[] {
  let words = known.get(written)
  if (words === undefined) {
    words = ASCII_LOWER.test(written) ? [{ whole: written, pieces: [] }] : takeApart(written)
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
      whole: lower(part),
      pieces: pieces.length > 1 ? pieces.map(lower) : [],
    })
  }
}

function lower(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

let segmenter: Intl.Segmenter | undefined

function unspacedPieces(run: string): Set<string> {
  const characters = [...run]
  if (characters.length === 1) return new Set(characters)
  const pieces = new Set<string>()
  for (let i = 0; i + 1 < characters.length; i++) pieces.add(characters[i]! + characters[i + 1]!)
  // not every runtime has a segmenter; the pairs alone still find most things
  if (typeof Intl.Segmenter === 'function') {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
    for (const { segment } of segmenter.segment(run))
      if ([...segment].length > 2) pieces.add(segment)
  }
  return pieces
}
