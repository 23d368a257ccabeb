import { typingErrors } from './typing-errors.ts'

/** The terms of an index, for finding the terms that an unknown word may stand for. */
export interface Vocabulary {
  has(term: string): boolean
  /** Terms with this prefix, shortest first. */
  startingWith(prefix: string): readonly string[]
  /** Terms with the fewest typing errors: at most one, or two in a long word. In code unit order. */
  resembling(word: string): readonly string[]
}

export interface WritableVocabulary extends Vocabulary {
  add(term: string): void
  delete(term: string): void
}

/** How many terms one word may stand for. */
export const MAX_TERMS = 8
const LONG_WORD = 8
export const MAX_ERRORS = 2
/** Nobody types longer words, and comparing takes time quadratic in the length. */
const LONGEST_WORD = 40

export function createVocabulary(): WritableVocabulary {
  // Terms by first letter, which people hardly ever mistype, and then by length, which rules out
  // most of the others.
  const byFirstLetter = new Map<string, (Set<string> | undefined)[]>()
  const byLengthOf = (word: string) => byFirstLetter.get(word.slice(0, 1)) ?? []

  return {
    has: (term) => byLengthOf(term)[term.length]?.has(term) ?? false,
    add(term) {
      const first = term.slice(0, 1)
      const byLength = byFirstLetter.get(first) ?? []
      byFirstLetter.set(first, byLength)
      byLength[term.length] ??= new Set()
      byLength[term.length]!.add(term)
    },
    delete: (term) => void byLengthOf(term)[term.length]?.delete(term),
    startingWith(prefix) {
      const found: string[] = []
      const byLength = byLengthOf(prefix)
      for (let length = prefix.length; length < byLength.length; length++) {
        const matching: string[] = []
        for (const term of byLength[length] ?? []) {
          if (term.startsWith(prefix)) matching.push(term)
        }
        found.push(...matching.sort())
        if (found.length >= MAX_TERMS) break
      }
      return found.slice(0, MAX_TERMS)
    },
    resembling(word) {
      if (word.length > LONGEST_WORD) return []
      const maxErrors = word.length >= LONG_WORD ? MAX_ERRORS : 1
      const byLength = byLengthOf(word)
      let fewest = maxErrors
      let found: string[] = []
      const longest = Math.min(word.length + maxErrors, byLength.length - 1)
      for (let length = word.length - maxErrors; length <= longest; length++) {
        for (const term of byLength[length] ?? []) {
          const errors = typingErrors(word, term, fewest)
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
