import { compareNames } from '../catalogue/compare-names.ts'

/** The terms an index knows, to find the ones a person may have meant by a word it does not know. */
export interface Vocabulary {
  has(term: string): boolean
  /** Terms that begin so, the shortest first. */
  startingWith(beginning: string): readonly string[]
  /** Terms one typing error away, or two in a long word, the likeliest first. */
  resembling(word: string): readonly string[]
}

export interface WritableVocabulary extends Vocabulary {
  add(term: string): void
  delete(term: string): void
}

const MAX_TERMS = 8
const LONG_WORD = 8
// beyond it nobody types, and comparing takes the square of the length
const LONGEST_WORD = 40

export function createVocabulary(): WritableVocabulary {
  // people hardly ever mistype the first letter, so the others need not be looked at
  const byFirst = new Map<string, Set<string>>()
  const alike = (word: string) => byFirst.get(word.slice(0, 1)) ?? []

  return {
    has: (term) => byFirst.get(term.slice(0, 1))?.has(term) ?? false,
    add(term) {
      const first = term.slice(0, 1)
      const terms = byFirst.get(first)
      if (terms) terms.add(term)
      else byFirst.set(first, new Set([term]))
    },
    delete: (term) => void byFirst.get(term.slice(0, 1))?.delete(term),
    startingWith(beginning) {
      const found: string[] = []
      for (const term of alike(beginning)) if (term.startsWith(beginning)) found.push(term)
      return found.sort((a, b) => a.length - b.length || compareNames(a, b)).slice(0, MAX_TERMS)
    },
    resembling(word) {
      if (word.length > LONGEST_WORD) return []
      const most = word.length >= LONG_WORD ? 2 : 1
      const found: { term: string; errors: number }[] = []
      for (const term of alike(word)) {
        if (Math.abs(term.length - word.length) > most) continue
        const errors = typingErrors(word, term, most)
        if (errors <= most) found.push({ term, errors })
      }
      const fewest = Math.min(...found.map(({ errors }) => errors))
      return found
        .filter(({ errors }) => errors === fewest)
        .map(({ term }) => term)
        .sort(compareNames)
        .slice(0, MAX_TERMS)
    },
  }
}

/**
 * Letters wrong, missing, too many or swapped with their neighbour; counting stops past `most`.
 *
 * @example
 * typingErrors('calender', 'calendar', 2) // 1
 */
export function typingErrors(a: string, b: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let errors = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        errors = Math.min(errors, beforeLast[j - 2]! + 1)
      }
      row.push(errors)
      best = Math.min(best, errors)
    }
    if (best > most) return most + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
