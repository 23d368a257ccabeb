/**
 * A part of a text:
 * - `word`: letters of a script with spaces between words
 * - `run`: characters of a script without them, or Hangul, which attaches endings to words
 * - `verbatim`: a file name, an address, an identifier or a number
 */
interface TextPart {
  readonly kind: 'word' | 'run' | 'verbatim'
  readonly text: string
}

const CHUNK = /\S+/g
const LETTERS = /[\p{L}\p{M}\p{N}ー]+/gu
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/u
const UNSPACED = new RegExp(UNSPACED_RUN, 'gu')
const NOT_ASCII = /[^\0-\x7f]/
const EDGE = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
/** Dots, slashes and the like between letters, digits, or upper case within a word. */
const TECHNICAL = /[\p{L}\p{N}][_./\\@:#=&][\p{L}\p{N}]|\d|\p{Ll}\p{Lu}/u
const PATH_IN_TEXT = /[A-Za-z0-9][\w./\\@:#=&-]*/g

/** Whether a text starts with a character of a script without spaces. */
export function startsRun(text: string): boolean {
  return text.search(UNSPACED_RUN) === 0
}

/** Splits a text in any script into words, runs of characters and parts that are not language. */
export function splitText(text: string): TextPart[] {
  const parts: TextPart[] = []
  for (const [chunk] of text.matchAll(CHUNK)) addChunk(chunk)
  return parts

  function addChunk(chunk: string): void {
    if (!NOT_ASCII.test(chunk)) {
      addLatin(chunk)
      return
    }
    // A script without spaces puts none around file names and product names either.
    let from = 0
    for (const found of UNSPACED_RUN.test(chunk) ? chunk.matchAll(PATH_IN_TEXT) : []) {
      addLetters(chunk.slice(from, found.index))
      addLatin(found[0])
      from = found.index + found[0].length
    }
    addLetters(chunk.slice(from))
  }

  function addLatin(chunk: string): void {
    const bare = chunk.replace(EDGE, '')
    if (bare === '') return
    if (TECHNICAL.test(bare)) parts.push({ kind: 'verbatim', text: bare })
    else addLetters(bare)
  }

  function addLetters(chunk: string): void {
    for (const [letters] of chunk.normalize('NFKC').matchAll(LETTERS)) {
      let from = 0
      for (const run of NOT_ASCII.test(letters) ? letters.matchAll(UNSPACED) : []) {
        addWord(letters.slice(from, run.index))
        parts.push({ kind: 'run', text: run[0] })
        from = run.index + run[0].length
      }
      addWord(letters.slice(from))
    }
  }

  function addWord(word: string): void {
    if (word === '') return
    parts.push({ kind: /\p{N}/u.test(word) ? 'verbatim' : 'word', text: word })
  }
}
