/** Cuts text into the word pieces of a vocabulary. What the vocabulary cannot spell is left out. */
export type WordPieces = (text: string) => number[]

const LONGEST_WORD = 60
const CONTINUES = '##'

// letters and digits that belong together; ideographs stand alone, as BERT was taught them
const WORDS = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+|[^\p{L}\p{N}\p{M}\s\p{C}]/gu
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
  return (text) => {
    const rows: number[] = []
    for (const [written] of text.normalize('NFC').matchAll(WORDS)) {
      const whole = fold(written)
      if (vocabulary.has(whole)) addWord(whole)
      else for (const [part] of written.matchAll(PARTS)) addWord(fold(part))
    }
    return rows

    function addWord(word: string): void {
      if (word.length > LONGEST_WORD) return
      const start = rows.length
      let from = 0
      while (from < word.length) {
        const found = longestPiece(word, from)
        // a word that cannot be spelt to its end says nothing: its first letters would mislead
        if (found === undefined) {
          rows.length = start
          return
        }
        rows.push(found.row)
        from = found.end
      }
    }
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
