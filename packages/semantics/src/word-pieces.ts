/** Splits a text into the rows of its word pieces. Words that the vocabulary cannot spell are left out. */
export type WordPieces = (text: string) => number[]

const LONGEST_WORD = 60
const MAX_CACHED = 20_000
const CONTINUES = '##'

// Runs of letters and digits. Ideographs stand alone, as in BERT's training.
const WORDS = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[^\p{L}\p{N}\p{M}\s\p{C}]/gu
const ASCII_WORDS = /[A-Za-z0-9]+|[!-/:-@[-`{-~]/g
const NOT_ASCII = /[^\0-\x7f]/
const PARTS =
  /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+|./gsu

/**
 * BERT's uncased WordPiece: removes case and accents, separates punctuation, then repeatedly takes
 * the longest piece that fits. Identifiers such as `getHTTPServer` or `create_issue` are split into
 * words first, unless the vocabulary has the whole word, such as `youtube`.
 *
 * Never throws. `vocabulary` maps a piece to its row; `##ing` continues a word.
 */
export function createWordPieces(vocabulary: ReadonlyMap<string, number>): WordPieces {
  // Nearly all texts consist of the same few thousand words.
  const cache = new Map<string, readonly number[]>()

  return (text) => {
    // Most texts are ASCII, and splitting those takes half the time.
    const isPlain = !NOT_ASCII.test(text)
    const words = isPlain ? text.match(ASCII_WORDS) : text.normalize('NFC').match(WORDS)
    const rows: number[] = []
    for (const written of words ?? []) {
      for (const row of cache.get(written) ?? spell(written)) rows.push(row)
    }
    return rows
  }

  function spell(written: string): readonly number[] {
    const whole = fold(written)
    const parts = vocabulary.has(whole) ? [whole] : (written.match(PARTS) ?? []).map(fold)
    const rows = parts.flatMap(spellPart)
    if (written.length > LONGEST_WORD) return rows
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(written, rows)
    return rows
  }

  function spellPart(word: string): readonly number[] {
    const rows: number[] = []
    if (word.length > LONGEST_WORD) return rows
    for (let from = 0; from < word.length; ) {
      const found = longestPiece(word, from)
      // Omit a word that cannot be spelled completely: its first letters alone would be misleading.
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
