import { countBits } from './count-bits.ts'
import { typingErrors } from './typing-errors.ts'

/** The terms of an index, for finding the terms that an unknown word may stand for. */
export interface Vocabulary {
  has(term: string): boolean
  /** Terms with this prefix, shortest first. */
  startingWith(prefix: string): readonly string[]
  /** Terms with the fewest typing errors: at most one, or two in a long word. In code unit order. */
  resembling(word: string): readonly string[]
}

/** Whether a term counts as part of a vocabulary. */
type AcceptsTerm = (term: string) => boolean

export interface WritableVocabulary extends Vocabulary {
  startingWith(prefix: string, accepts?: AcceptsTerm): readonly string[]
  resembling(word: string, accepts?: AcceptsTerm): readonly string[]
  add(term: string): void
  delete(term: string): void
}

/** How many terms one word may stand for. */
export const MAX_TERMS = 8
const LONG_WORD = 8
/** In a long word. A shorter one may have one error. */
export const MAX_ERRORS = 2
/** Nobody types longer words, and comparing takes time quadratic in the length. */
const LONGEST_WORD = 40

/** The terms with the same first letter, which people hardly ever mistype. */
interface FirstLetter {
  /** By length, each term with the letters it consists of: both rule out most other terms. */
  readonly byLength: (Map<string, number> | undefined)[]
  /** In code unit order; undefined after a change. */
  sorted: string[] | undefined
}

export function createVocabulary(): WritableVocabulary {
  const firstLetters = new Map<string, FirstLetter>()
  const termsLike = (word: string) => firstLetters.get(word.slice(0, 1))

  return {
    has: (term) => termsLike(term)?.byLength[term.length]?.has(term) ?? false,
    add(term) {
      const terms = termsLike(term) ?? { byLength: [], sorted: undefined }
      firstLetters.set(term.slice(0, 1), terms)
      terms.byLength[term.length] ??= new Map()
      terms.byLength[term.length]!.set(term, lettersOf(term))
      terms.sorted = undefined
    },
    delete(term) {
      const terms = termsLike(term)
      if (terms?.byLength[term.length]?.delete(term)) terms.sorted = undefined
    },
    startingWith(prefix, accepts) {
      const terms = termsLike(prefix)
      if (terms === undefined) return []
      terms.sorted ??= terms.byLength.flatMap((terms) => [...(terms?.keys() ?? [])]).sort()
      const { sorted } = terms
      const found: string[] = []
      for (let at = firstAtLeast(sorted, prefix); sorted[at]?.startsWith(prefix); at++) {
        if (!accepts || accepts(sorted[at]!)) found.push(sorted[at]!)
      }
      return found.sort((a, b) => a.length - b.length).slice(0, MAX_TERMS)
    },
    resembling(word, accepts) {
      if (word.length > LONGEST_WORD) return []
      const maxErrors = word.length >= LONG_WORD ? MAX_ERRORS : 1
      const byLength = termsLike(word)?.byLength ?? []
      const letters = lettersOf(word)
      let fewest = maxErrors
      let found: string[] = []
      const longest = Math.min(word.length + maxErrors, byLength.length - 1)
      for (let length = word.length - maxErrors; length <= longest; length++) {
        for (const [term, others] of byLength[length] ?? []) {
          // One error changes at most two bits: a letter disappears and another one appears.
          if (countBits(letters ^ others) > 2 * fewest) continue
          const errors = typingErrors(word, term, fewest)
          if (errors > fewest || (accepts && !accepts(term))) continue
          if (errors < fewest) {
            fewest = errors
            found = [term]
          } else if (errors === fewest) found.push(term)
        }
      }
      return found.sort().slice(0, MAX_TERMS)
    },
  }
}

/** The position of the first term that is not before the prefix. */
function firstAtLeast(sorted: readonly string[], prefix: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < prefix) low = middle + 1
    else high = middle
  }
  return low
}

/** The letters of a word as a set of 32 bits. Outside a to z, several letters share a bit. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}
