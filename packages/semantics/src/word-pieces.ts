/** Cuts text into the word pieces of a vocabulary. What the vocabulary cannot spell is left out. */
export type WordPieces = (text: string) => number[]

const LONGEST_WORD = 60
const MOST_KNOWN = 20_000
const CONTINUES = '##'

// letters and digits that belong together; ideographs stand alone, as BERT was taught them
const WORDS = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[^\p{L}\p{N}\p{M}\s\p{C}]/gu
const ASCII_WORDS = /[A-Za-z0-9]+|[!-/:-@[-`{-~]/g
const NOT_ASCII = /[^\0-\x7f]/
const PARTS =
  /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+|./gsu

/**
 * BERT's uncased WordPiece: no case, no accents, punctuation apart, then the longest piece that
 * fits, again and again. Names such as `getHTTPServer` or `create_issue` are cut into their words
 * first, unless the vocabulary knows the whole as it does `youtube`.
 *
 * Never throws. `vocabulary` maps a piece to its row; `##ing` continues a word.
 */
export function createWordPieces(vocabulary: ReadonlyMap<string, number>): WordPieces {
  // the same few thousand words make up nearly all texts
  const known = new Map<string, readonly number[]>()

  return (text) => {
    // most texts are plain, and are cut in half the time
    const isPlain = !NOT_ASCII.test(text)
    const words = isPlain ? text.match(ASCII_WORDS) : text.normalize('NFC').match(WORDS)
    const rows: number[] = []
    for (const written of words ?? []) {
      for (const row of known.get(written) ?? spell(written)) rows.push(row)
    }
    return rows
  }

  function spell(written: string): readonly number[] {
    const whole = fold(written)
    const parts = vocabulary.has(whole) ? [whole] : (written.match(PARTS) ?? []).map(fold)
    const rows = parts.flatMap(spellPart)
    if (written.length > LONGEST_WORD) return rows
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(written, rows)
    return rows
  }

  function spellPart(word: string): readonly number[] {
    const rows: number[] = []
    if (word.length > LONGEST_WORD) return rows
    for (let from = 0; from < word.length; ) {
      const found = longestPiece(word, from)
      // a word that cannot be spelt to its end says nothing: its first letters would mislead
      if (found === undefined) return []
      rows.push(found.row)
      from = found.end
    }
    return rows
  }

  function longestPiece(word: string, from: number): { row: number; end: number } | undefined {
    const prefix = from === 0 ? '' : CONTINUES
    for (let end = word.length; end > from; end--) {
      const row = vocabulary.get(prefix + word.slice(from, end))
      if (row !== undefined) return { row, end }
    }
    return undefined
  }
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}
