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
  // people hardly ever mistype the first letter, so the others need not be looked at;
  // the terms of one letter stand by their length, which tells most of them apart
  const byFirst = new Map<string, (Set<string> | undefined)[]>()
  const alike = (word: string) => byFirst.get(word.slice(0, 1)) ?? []

  return {
    has: (term) => alike(term)[term.length]?.has(term) ?? false,
    add(term) {
      const first = term.slice(0, 1)
      const byLength = byFirst.get(first) ?? []
      byFirst.set(first, byLength)
      byLength[term.length] ??= new Set()
      byLength[term.length]!.add(term)
    },
    delete: (term) => void alike(term)[term.length]?.delete(term),
    startingWith(beginning) {
      const found: string[] = []
      const byLength = alike(beginning)
      for (let length = beginning.length; length < byLength.length; length++) {
        const ofLength: string[] = []
        for (const term of byLength[length] ?? [])
          if (term.startsWith(beginning)) ofLength.push(term)
        found.push(...ofLength.sort())
        if (found.length >= MAX_TERMS) break
      }
      return found.slice(0, MAX_TERMS)
    },
    resembling(word) {
      if (word.length > LONGEST_WORD) return []
      const most = word.length >= LONG_WORD ? 2 : 1
      const byLength = alike(word)
      let fewest = most
      let found: string[] = []
      const longest = Math.min(word.length + most, byLength.length - 1)
      for (let length = word.length - most; length <= longest; length++) {
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
 * Letters wrong, missing, too many or swapped with their neighbour; counting stops past `most`.
 *
 * @example
 * typingErrors('calender', 'calendar', 2) // 1
 */
export function typingErrors(a: string, b: string, most: number): number {
  // what is the same at both ends holds no error
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
  // one error leaves one letter, or two that are swapped
  if (most === 1 && sizeA > 2) return 2
  if (sizeB >= rows[0].length) return most + 1
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= sizeB; j++) last[j] = j
  for (let i = 1; i <= sizeA; i++) {
    const own = a.charCodeAt(start + i - 1)
    // further from the diagonal there are too many errors anyway
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
