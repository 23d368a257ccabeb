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

const MAX_TERMS = 8
const LONG_WORD = 8
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
      const maxErrors = word.length >= LONG_WORD ? 2 : 1
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

/**
 * Counts wrong, missing, extra and transposed letters. Stops counting beyond `most`.
 *
 * @example
 * typingErrors('calender', 'calendar', 2) // 1
 */
export function typingErrors(a: string, b: string, most: number): number {
  // Skip the common prefix and suffix.
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const sizeA = endA - start
  const sizeB = endB - start
  if (Math.abs(sizeA - sizeB) > most) return most + 1
  if (sizeA === 0 || sizeB === 0) return sizeA + sizeB
  // After that, a single error leaves one letter, or two transposed letters.
  if (most === 1 && sizeA > 2) return 2
  if (sizeB >= rows[0].length) return most + 1
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= sizeB; j++) last[j] = j
  for (let i = 1; i <= sizeA; i++) {
    const own = a.charCodeAt(start + i - 1)
    // Cells further from the diagonal have more errors than allowed.
    const from = Math.max(1, i - most)
    const to = Math.min(sizeB, i + most)
    row[from - 1] = from === 1 ? i : most + 1
    let best = row[from - 1]!
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(start + j - 1)
      let errors = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (own === other ? 0 : 1))
      if (i > 1 && j > 1 && own === b.charCodeAt(start + j - 2)) {
        if (other === a.charCodeAt(start + i - 2)) errors = Math.min(errors, beforeLast[j - 2]! + 1)
      }
      row[j] = errors
      best = Math.min(best, errors)
    }
    if (to < sizeB) row[to + 1] = most + 1
    if (best > most) return most + 1
    const free = beforeLast
    beforeLast = last
    last = row
    row = free
  }
  return Math.min(last[sizeB]!, most + 1)
}

type Rows = [Uint8Array, Uint8Array, Uint8Array]
const rows: Rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]
