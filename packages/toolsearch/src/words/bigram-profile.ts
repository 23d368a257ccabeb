/** The character bigrams of a text, for comparing many other texts with it. */
export interface BigramProfile {
  /**
   * Dice's coefficient, 0 to 1: twice the number of common bigrams over the bigrams of both. Ignores
   * what is before the position `from` of the other text.
   */
  dice(other: string, from?: number): number
}

/** Repeated bigrams count each time. A text of one character has none. */
export function createBigramProfile(text: string): BigramProfile {
  // A table for ASCII bigrams, which is faster, and a map for all others.
  const table = new Uint16Array(ASCII * ASCII)
  const others = new Map<number, number>()
  const counts = [0]
  const size = forEachBigram(text, (a, b) => {
    const at = indexOf(a, b)
    if (at > 0) counts[at]!++
    else if (a < ASCII && b < ASCII) table[a * ASCII + b] = counts.push(1) - 1
    else others.set(a * 0x110000 + b, counts.push(1) - 1)
  })
  const available = Int32Array.from(counts)
  const left = new Int32Array(counts.length)

  return {
    dice(other, from = 0) {
      if (size === 0 || other.length < from + 2) return 0
      left.set(available)
      let common = 0
      // Nearly all texts are ASCII, and there can be 100,000 of them.
      let before = other.charCodeAt(from)
      let at = from + 1
      for (; before < ASCII && at < other.length; at++) {
        const character = other.charCodeAt(at)
        if (character >= ASCII) break
        const index = table[before * ASCII + character]!
        if (left[index]! > 0) {
          left[index]!--
          common++
        }
        before = character
      }
      if (at === other.length && before < ASCII) return (2 * common) / (size + at - from - 1)

      left.set(available)
      common = 0
      const otherSize = forEachBigram(other.slice(from), (a, b) => {
        const at = indexOf(a, b)
        if (left[at]! > 0) {
          left[at]!--
          common++
        }
      })
      return otherSize === 0 ? 0 : (2 * common) / (size + otherSize)
    },
  }

  /** The index of a bigram in `counts`; 0 if the text does not have it. */
  function indexOf(a: number, b: number): number {
    if (a < ASCII && b < ASCII) return table[a * ASCII + b]!
    return others.get(a * 0x110000 + b) ?? 0
  }
}

const ASCII = 128

/** Visits each pair of adjacent characters. Returns the number of pairs. */
function forEachBigram(text: string, visit: (a: number, b: number) => void): number {
  let before = -1
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at)!
    if (character > 0xffff) at++
    if (before >= 0) {
      visit(before, character)
      count++
    }
    before = character
  }
  return count
}
