/** Numbers the terms of an index, so that the index can keep what it knows about them in arrays. */
export interface TermTable {
  /** The number of a term. A new term gets one. */
  numberOf(term: string): number
  /** -1 for a term without a number. */
  find(term: string): number
  termOf(number: number): string
  /** All numbers are below this. */
  size(): number
  /** Takes the number away from a term, so that a new term can get it. */
  free(number: number): void
}

export function createTermTable(): TermTable {
  const numbers = new Map<string, number>()
  const terms: string[] = []
  const unused: number[] = []

  return {
    numberOf(term) {
      const known = numbers.get(term)
      if (known !== undefined) return known
      const number = unused.pop() ?? terms.length
      terms[number] = term
      numbers.set(term, number)
      return number
    },
    find: (term) => numbers.get(term) ?? -1,
    termOf: (number) => terms[number]!,
    size: () => terms.length,
    free(number) {
      if (!numbers.delete(terms[number]!)) return
      terms[number] = ''
      unused.push(number)
    },
  }
}
